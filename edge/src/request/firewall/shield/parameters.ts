/** Checks the parameters of a request against those of its operation. */
import type { EdgeShieldParameter } from '@breakwater/contract/edge/api-shield-part.ts'
import { type ShieldReason, shieldReasons } from '@breakwater/contract/edge/shield-reasons.ts'
import { beginTrace } from '../../lib/begin-trace.ts'
import type { EdgeRequest, Tools } from '../../lib/guard.ts'
import type { Pair } from '../../lib/waf-tools.ts'
import { takeForm } from '../waf/form.ts'
import type { GapTexts } from './paths.ts'
import type { ShieldOperation } from './tables.ts'
import { fitsAsText, type Run } from './values.ts'

/** What is wrong with a request: the number of the reason, and where. */
export type Finding = { reason: number; where: string }

export const finding = (reason: ShieldReason, where = ''): Finding => ({ reason: shieldReasons[reason], where })

/** How many query arguments are inspected at most. */
const argumentsMax = 1000

/** Whether a value fits, or, if it is a list, each of its items. */
function fitsParameter(run: Run, { schema, split }: EdgeShieldParameter, text: string): boolean {
  if (schema === undefined) return true
  if (split === '') return fitsAsText(run, schema, text)
  for (const one of text.split(split)) if (!fitsAsText(run, schema, one)) return false
  return true
}

const wrong = (run: Run, where: string): Finding => finding(run.isCut ? 'overBudget' : 'wrongParameter', where)

export function judgePath(run: Run, { ofPath }: ShieldOperation, texts: GapTexts): Finding | undefined {
  if (ofPath === undefined) return undefined
  for (const parameter of ofPath)
    if (!fitsParameter(run, parameter, texts[parameter.gap!] ?? '')) return wrong(run, `path:${parameter.name}`)
  return undefined
}

function isKnownBeginning(beginnings: readonly string[], name: string): boolean {
  for (const beginning of beginnings) if (name.startsWith(beginning)) return true
  return false
}

export function judgeQuery(
  run: Run,
  operation: ShieldOperation,
  request: EdgeRequest,
  tools: Tools,
): Finding | undefined {
  const { query, required, isOpen, beginnings } = operation
  if (request.query === '' && required.length === 0) return undefined
  // A new trace for the same reason as in `judge` (api-shield.ts): the exit to the loop that decodes a text.
  beginTrace()
  const given: Pair[] = []
  takeForm(given, request.query, argumentsMax, tools.formDecoded)
  if (given.length > argumentsMax) return finding('overBudget', 'query')
  const seen: Record<string, true> = {}
  for (const { name, value } of given) {
    const parameter = query[name]
    if (parameter === undefined) {
      if (isOpen || isKnownBeginning(beginnings, name)) continue
      return finding('unknownParameter', `query:${name}`)
    }
    if (seen[name] === true && !parameter.isMany) return finding('repeatedParameter', `query:${name}`)
    seen[name] = true
    if (!fitsParameter(run, parameter, value)) return wrong(run, `query:${name}`)
  }
  for (const name of required) if (seen[name] !== true) return finding('missingParameter', `query:${name}`)
  return undefined
}

export function judgeHeaders(run: Run, { headers }: ShieldOperation, tools: Tools): Finding | undefined {
  if (headers === undefined) return undefined
  for (const parameter of headers) {
    const value = tools.header(parameter.name)
    if (value === undefined) {
      if (parameter.isRequired) return finding('missingParameter', `header:${parameter.name}`)
    } else if (!fitsParameter(run, parameter, value)) return wrong(run, `header:${parameter.name}`)
  }
  return undefined
}
