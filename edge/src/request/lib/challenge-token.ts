/**
 * The tokens of challenges: the one in a challenge page, and the cookie of a visitor who passed. Both are bound to
 * site, network and browser, and contain nothing that the visitor could change. Pure: signing and hashing are passed
 * in.
 */
import { passSeconds } from '@breakwater/contract/edge/passed-challenge.ts'

/** Who must answer: an address's network (/24, /56) and a digest of the User-Agent. */
export type Binding = { site: number; network: string; agent: string }

/** @noSelf */
export interface Signer {
  /** Signs a text with the key of a site and UTC day, derived from the group's newest key. */
  sign(site: number, day: number, text: string): string
  /** Whether a signature is by the newest key or the previous one. */
  verify(site: number, day: number, text: string, signature: string): boolean
  /**
   * The 32-byte digest of a text under the key that signed another. Returns undefined if no key of the group signed
   * that.
   */
  digest(site: number, day: number, signed: { text: string; signature: string }, text: string): string | undefined
}

export function networkOf(bytes: string): string {
  return bytes.substring(0, bytes.length === 4 ? 3 : 7)
}

const dayOf = (seconds: number): number => Math.floor(seconds / 86_400)

function bound(binding: Binding, kind: string, fields: string): string {
  return `${kind}|${binding.site}|${fields}|${binding.agent}|${binding.network}`
}

/** The number in a text, or -1. */
function whole(text: string | undefined): number {
  const value = text === undefined || text === '' ? -1 : Number(text)
  return value >= 0 ? value : -1
}

/** A challenge as its page contains it: `2.<ms>.<mode>.<bits>.<nonce>.<signature>`. */
export type Asked = {
  /** When the page was made, in epoch milliseconds. */
  ms: number
  mode: number
  /** The price: leading zero bits of the hash to find. */
  bits: number
  nonce: string
}

const fieldsOf = ({ ms, mode, bits, nonce }: Asked): string => `${ms}.${mode}.${bits}.${nonce}`

/** The token of a challenge, and the digest from which its answer is derived. */
export function askToken(binding: Binding, asked: Asked, signer: Signer): { token: string; digest: string } {
  const fields = fieldsOf(asked)
  const [site, day] = [binding.site, dayOf(asked.ms / 1000)]
  const signed = bound(binding, 'ask', fields)
  const signature = signer.sign(site, day, signed)
  const digest = signer.digest(site, day, { text: signed, signature }, bound(binding, 'answer', fields)) ?? ''
  return { token: `2.${fields}.${signature}`, digest }
}

/**
 * Opens a token that the group made for this visitor. Returns it with the digest for its answer, or undefined if it is
 * invalid.
 */
export function openAsk(token: string, binding: Binding, signer: Signer): (Asked & { digest: string }) | undefined {
  const [version, ms, mode, bits, nonce, signature] = token.split('.')
  if (version !== '2' || nonce === undefined || signature === undefined) return undefined
  const asked = { ms: whole(ms), mode: whole(mode), bits: whole(bits), nonce }
  if (asked.ms < 0 || asked.mode < 0 || asked.bits < 0) return undefined
  const fields = `${ms}.${mode}.${bits}.${nonce}`
  const signed = { text: bound(binding, 'ask', fields), signature }
  const digest = signer.digest(binding.site, dayOf(asked.ms / 1000), signed, bound(binding, 'answer', fields))
  return digest === undefined ? undefined : { ...asked, digest }
}

/**
 * The cookie of a visitor who passed: `1.<end>.<modes>.<signature>`; `modes` are the digits of all modes that were
 * passed.
 */
export function passCookie(binding: Binding, now: number, modes: string, signer: Signer): string {
  const end = Math.floor(now) + passSeconds
  const fields = `${end}.${modes}`
  return `1.${fields}.${signer.sign(binding.site, dayOf(end - passSeconds), bound(binding, 'pass', fields))}`
}

/** The modes that a cookie proves; '' if it is invalid, expired, or another visitor's. */
export function passedModes(cookie: string | undefined, binding: Binding, now: number, signer: Signer): string {
  if (cookie === undefined) return ''
  const [version, end, modes, signature] = cookie.split('.')
  if (version !== '1' || modes === undefined || signature === undefined) return ''
  const until = whole(end)
  if (until <= now || until > now + passSeconds + 60) return ''
  const text = bound(binding, 'pass', `${end}.${modes}`)
  return signer.verify(binding.site, dayOf(until - passSeconds), text, signature) ? modes : ''
}

/** Whether the passed modes satisfy the required one: the redirect is the weakest, so any other mode satisfies it. */
export function satisfies(modes: string, mode: number): boolean {
  return modes.indexOf(`${mode}`) >= 0 || (mode === 4 && modes !== '')
}
