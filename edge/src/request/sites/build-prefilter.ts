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
  if (part === undefined) return raise(`no rule set: ${from}`)
  const image = imageOf((part as { rules: WafRule[] }).rules)
  const [file] = io.open(to, 'wb')
  if (file === undefined) return raise(`cannot write ${to}`)
  file.write(image)
  file.close()
}
