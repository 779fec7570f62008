/**
 * Runs in a separate nginx, which the agent starts for this and which then exits: compiles the expressions of a rule
 * set, which takes seconds and a few hundred megabytes that no worker should spend.
 */

import type { WafRule } from '@breakwater/contract/edge/waf-rules.ts'
import { decode } from 'cjson.safe'
import { readFile } from '../nginx/files.ts'
import { raise } from '../nginx/raise.ts'
import { imageOf } from './prefilter-image.ts'

/** Reads the rule set part from `from` and writes its databases to `to`. */
export function build(from: string, to: string): void {
  const [part] = decode(readFile(from) ?? '')
  const rules = (part as { rules?: WafRule[] } | undefined)?.rules ?? raise(`no rule set: ${from}`)
  const image = imageOf(rules)
  const [file] = io.open(to, 'wb')
  const written = file ?? raise(`cannot write ${to}`)
  written.write(image)
  written.close()
}
