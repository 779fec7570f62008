/** DNS messages, as far as the edge needs them: one query for addresses, and its answers (RFC 1035). */

export type DnsType = 1 | 28

const pair = (value: number): string => String.fromCharCode(Math.floor(value / 256) % 256, value % 256)

/** Encodes a query for the addresses of a name. Returns undefined if it is not a valid name. */
export function encodeQuestion(id: number, name: string, type: DnsType): string | undefined {
  let labels = ''
  for (const label of name.split('.')) {
    if (label.length < 1 || label.length > 63) return undefined
    labels += String.fromCharCode(label.length) + label
  }
  if (labels.length > 253) return undefined
  return `${pair(id)}${pair(256)}${pair(1)}${pair(0)}${pair(0)}${pair(0)}${labels}${String.fromCharCode(0)}${pair(type)}${pair(1)}`
}

export type DnsAnswer = { addresses: string[]; ttl: number }

function numberAt(message: string, at: number): number {
  return at + 1 < message.length ? message.charCodeAt(at) * 256 + message.charCodeAt(at + 1) : 0
}

/** The offset after a name: labels, or a pointer that ends it. */
function afterName(message: string, from: number): number {
  let at = from
  while (at < message.length) {
    const length = message.charCodeAt(at)
    if (length === 0) return at + 1
    if (length >= 192) return at + 2
    at += length + 1
  }
  return message.length
}

/** The addresses in the answer to our query, as byte strings. Returns undefined if it is not an answer to it. */
export function decodeAnswer(message: string, id: number, question: string, type: DnsType): DnsAnswer | undefined {
  if (message.length < question.length || numberAt(message, 0) !== id) return undefined
  const flags = numberAt(message, 2)
  if (flags < 32768 || numberAt(message, 4) !== 1) return undefined
  // The question is repeated literally, except for case, which a server may have changed.
  if (message.substring(12, question.length).toLowerCase() !== question.substring(12).toLowerCase()) return undefined
  const answer: DnsAnswer = { addresses: [], ttl: 30 }
  const failure = flags % 16
  if (failure === 3) return answer
  if (failure !== 0) return undefined
  let at = question.length
  let least = 300
  for (let i = 0; i < numberAt(message, 6); i++) {
    at = afterName(message, at)
    const kind = numberAt(message, at)
    const ttl = numberAt(message, at + 4) * 65_536 + numberAt(message, at + 6)
    const length = numberAt(message, at + 8)
    const data = message.substring(at + 10, at + 10 + length)
    at += 10 + length
    if (at > message.length) break
    if (kind !== type || length !== (type === 1 ? 4 : 16)) continue
    answer.addresses.push(data)
    least = Math.min(least, ttl)
  }
  if (answer.addresses.length > 0) answer.ttl = Math.max(5, least)
  return answer
}
