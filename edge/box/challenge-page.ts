/** Reads challenge pages as a browser does, and knows their answers as the node does: by the group's key of the tests. */
import { createHmac, hash } from 'node:crypto'
import { answerFrom } from '../src/request/lib/challenge-answer.ts'
import { networkOf, openAsk, type Signer } from '../src/request/lib/challenge-token.ts'
import { groupKey } from './harness.ts'

export const answerPath = '/.well-known/breakwater/challenge'

export type Solved = { t: string; n: number }

export const tokenIn = (page: string): string => /var T="([^"]+)"/.exec(page)![1]!

/** The leading zero bits that a page asks for: `2.<ms>.<mode>.<bits>.…`. */
export const bitsIn = (page: string): number => Number(tokenIn(page).split('.')[3])

/** Does the work that a page asks for, or that of so many bits; `below`: and of fewer than these. */
export function solve(page: string, bits = bitsIn(page), below = Number.POSITIVE_INFINITY): Solved {
  const t = tokenIn(page)
  const [limit, least] = [2 ** (32 - bits), 2 ** (32 - below)]
  for (let n = 0; ; n++) {
    const found = hash('sha256', `${t}:${n}`, 'buffer').readUInt32BE(0)
    if (found < limit && found >= least) return { t, n }
  }
}

/** Who was asked: the page is for them alone. */
export type AskedOf = { site?: number; address?: string; userAgent?: string }

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text, 'latin1').digest()

/** Digests of the group's key, as `phases/challenge.ts` makes them. */
const signer: Signer = {
  sign: (site, day, text) => hmac(hmac(groupKey, `breakwater challenge|${site}|${day}`), text).toString('base64url'),
  verify: (site, day, text, signature) => signer.sign(site, day, text) === signature,
  digest: (site, day, { text, signature }, of) =>
    signer.verify(site, day, text, signature)
      ? hmac(hmac(groupKey, `breakwater challenge|${site}|${day}`), of).toString('latin1')
      : undefined,
}

/** What a person would answer who sees the picture: a code's digits, or `x,y` of a slider's ring. */
export function answerTo(page: string, { site = 1, address = '127.0.0.1', userAgent = '' }: AskedOf): string {
  const agent = hash('sha256', userAgent, 'base64url')
  const bytes = address.split('.').map((part) => String.fromCharCode(Number(part)))
  const asked = openAsk(tokenIn(page), { site, network: networkOf(bytes.join('')), agent }, signer)
  if (asked === undefined) throw new Error('the page was made for somebody else')
  return answerFrom(asked.mode, asked.digest)
}
