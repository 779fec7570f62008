/**
 * Run by an nginx of its own, which the agent starts for this and which ends with it: compiles the expressions of a rule
 * set, which takes seconds and some hundred megabytes that no worker should spend.
 */

import type { WafRule } from '@breakwater/contract/edge/waf-rules.ts'
import { decode } from 'cjson.safe'
import { readFile } from '../nginx/files.ts'
import { raise } from '../nginx/protect.ts'
import { imageOf } from './prefilter-image.ts'

/** From the file of the part to that of its databases. */
export function build(from: string, to: string): void {
  const [part] = decode(readFile(from) ?? '')
  const rules = (part as { rules?: WafRule[] } | undefined)?.rules ?? raise(`no rule set: ${from}`)
  const image = imageOf(rules)
  const [file] = io.open(to, 'wb')
  const written = file ?? raise(`cannot write ${to}`)
  written.write(image)
  written.close()
}
