/**
 * The texts of challenges: what a page is asked with, and what who passed carries as a cookie. Both are bound to site,
 * network and browser, and hold nothing that the visitor could change. Pure: signing and hashing are handed in.
 */

/** Cookies live this long, in seconds. */
export const passSeconds = 1800

/** Who must answer: an address's network (/24, /56) and a digest of the user agent. */
export type Binding = { site: number; network: string; agent: string }

/** @noSelf */
export interface Signer {
  /** The text's signature under the key of a site and UTC day, by the group's newest key. */
  sign(site: number, day: number, text: string): string
  /** Whether a signature is that of the newest key or of the one before. */
  verify(site: number, day: number, text: string, signature: string): boolean
}

export function networkOf(bytes: string): string {
  return bytes.substring(0, bytes.length === 4 ? 3 : 7)
}

const dayOf = (seconds: number): number => Math.floor(seconds / 86_400)

function bound(binding: Binding, kind: string, fields: string): string {
  return `${kind}|${binding.site}|${fields}|${binding.agent}|${binding.network}`
}

/** A number of text, or -1. */
function whole(text: string | undefined): number {
  const value = text === undefined || text === '' ? -1 : Number(text)
  return value >= 0 ? value : -1
}

/** What a page is asked with: `1.<ms>.<mode>.<nonce>.<signature>`. The right answer is signed with it, not told. */
export function askToken(
  binding: Binding,
  ms: number,
  mode: number,
  nonce: string,
  answer: string,
  signer: Signer,
): string {
  const fields = `${ms}.${mode}.${nonce}`
  return `1.${fields}.${signer.sign(binding.site, dayOf(ms / 1000), bound(binding, 'ask', `${fields}|${answer}`))}`
}

export type Asked = { ms: number; mode: number; nonce: string }

/** Opens a token where one of the answers is right. */
export function openAsk(
  token: string,
  binding: Binding,
  answers: readonly string[],
  signer: Signer,
): Asked | undefined {
  const [version, ms, mode, nonce, signature] = token.split('.')
  if (version !== '1' || nonce === undefined || signature === undefined || whole(ms) < 0) return undefined
  const fields = `${ms}.${mode}.${nonce}`
  for (const answer of answers) {
    const isRight = signer.verify(
      binding.site,
      dayOf(whole(ms) / 1000),
      bound(binding, 'ask', `${fields}|${answer}`),
      signature,
    )
    if (isRight) return { ms: whole(ms), mode: whole(mode), nonce }
  }
  return undefined
}

/** The cookie of who passed: `1.<end>.<modes>.<signature>`; `modes` are the digits of all modes that were passed. */
export function passCookie(binding: Binding, now: number, modes: string, signer: Signer): string {
  const end = Math.floor(now) + passSeconds
  const fields = `${end}.${modes}`
  return `1.${fields}.${signer.sign(binding.site, dayOf(end - passSeconds), bound(binding, 'pass', fields))}`
}

/** The modes that a cookie stands for; '' where it is none, has ended, or is somebody else's. */
export function passedModes(cookie: string | undefined, binding: Binding, now: number, signer: Signer): string {
  if (cookie === undefined) return ''
  const [version, end, modes, signature] = cookie.split('.')
  if (version !== '1' || modes === undefined || signature === undefined) return ''
  const until = whole(end)
  if (until <= now || until > now + passSeconds + 60) return ''
  const text = bound(binding, 'pass', `${end}.${modes}`)
  return signer.verify(binding.site, dayOf(until - passSeconds), text, signature) ? modes : ''
}

/** Whether passed modes satisfy a rule's: the redirect asks so little that any other is enough for it. */
export function satisfies(modes: string, mode: number): boolean {
  return modes.indexOf(`${mode}`) >= 0 || (mode === 4 && modes !== '')
}
