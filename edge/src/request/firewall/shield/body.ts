/** Checks a request body against what its operation accepts. Only JSON with a schema is read; all else streams. */

import type { Tools } from '../../lib/guard.ts'
import { trimmed } from '../../lib/trimmed.ts'
import type { WafTools } from '../../lib/waf-tools.ts'
import { type Finding, finding } from './parameters.ts'
import type { ShieldOperation } from './tables.ts'
import { fits, type Run } from './values.ts'

/** CPU seconds for the body of one request, if the site's budget has that much left. */
const timeMax = 0.05

/** A media type without its parameters. */
function typeOf(header: string | undefined): string {
  if (header === undefined) return ''
  const semicolon = header.indexOf(';')
  return trimmed(semicolon < 0 ? header : header.substring(0, semicolon)).toLowerCase()
}

function mediaOf({ media }: ShieldOperation, type: string): ShieldOperation['media'][number] | undefined {
  for (const one of media) if (one.type === type) return one
  for (const one of media)
    if (one.type.endsWith('*') && type.startsWith(one.type.substring(0, one.type.length - 1))) return one
  return undefined
}

export function judgeBody(
  run: Run,
  operation: ShieldOperation,
  { site, bodyBytes }: { site: number; bodyBytes: number },
  tools: Tools,
  around: WafTools,
): Finding | undefined {
  const { body, media } = operation
  const missing = body === 'required' ? finding('missingBody') : undefined
  if (!around.hasBody()) return missing
  if (body === 'none') {
    // With HTTP/2 or chunked encoding, only the end of the body shows that it is empty.
    const isEmpty = tools.header('content-length') === undefined && tools.body(bodyBytes) === ''
    return isEmpty ? undefined : finding('unexpectedBody')
  }
  if (media.length === 0) return undefined
  const type = typeOf(tools.header('content-type'))
  const found = mediaOf(operation, type)
  const isEncoded = (tools.header('content-encoding') ?? 'identity') !== 'identity'
  const isCompared = found?.isJson === true && found.schema !== undefined
  if (found === undefined || (isCompared && isEncoded)) {
    const isEmpty = tools.header('content-length') === undefined && tools.body(bodyBytes) === ''
    return isEmpty ? missing : finding('mediaType')
  }
  if (!isCompared) return undefined
  const text = tools.body(bodyBytes)
  if (text === undefined) return finding('overBudget', 'body')
  if (text === '') return missing
  const seconds = around.allowance(site, timeMax)
  if (seconds <= 0) return finding('overBudget', 'time')
  const turn = around.beginTurn(seconds)
  const value = around.json(text)
  const isRight = value !== undefined && fits(run, found.schema!, value)
  around.spent(site, around.takenIn(turn))
  if (isRight) return undefined
  if (value === undefined) return finding('malformedBody')
  return finding(run.isCut ? 'overBudget' : 'wrongBody', `body:${run.where}`)
}
