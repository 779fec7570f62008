/** Reads challenge pages as a browser does, and computes their answers as the node does: with the test group's key. */
import { createHmac, hash } from 'node:crypto'
import { answerFrom } from '../src/request/lib/challenge-answer.ts'
import { networkOf, openAsk, type Signer } from '../src/request/lib/challenge-token.ts'
import { groupKey } from './harness.ts'

export const answerPath = '/.well-known/breakwater/challenge'

export type Solved = { t: string; n: number }

export const tokenIn = (page: string): string => /var T="([^"]+)"/.exec(page)![1]!

/** The leading zero bits that a page requires: `2.<ms>.<mode>.<bits>.…`. */
export const bitsIn = (page: string): number => Number(tokenIn(page).split('.')[3])

/** Does the work that a page requires, or work of `bits` bits, with fewer than `below` leading zero bits. */
export function solve(page: string, bits = bitsIn(page), below = Number.POSITIVE_INFINITY): Solved {
  const t = tokenIn(page)
  const [limit, least] = [2 ** (32 - bits), 2 ** (32 - below)]
  for (let n = 0; ; n++) {
    const found = hash('sha256', `${t}:${n}`, 'buffer').readUInt32BE(0)
    if (found < limit && found >= least) return { t, n }
  }
}

/** The visitor who was challenged: the page is valid only for them. */
export type AskedOf = { site?: number; address?: string; userAgent?: string }

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text, 'latin1').digest()

/** HMACs with the group's key, computed as in `phases/challenge.ts`. */
const signer: Signer = {
  sign: (site, day, text) => hmac(hmac(groupKey, `breakwater challenge|${site}|${day}`), text).toString('base64url'),
  verify: (site, day, text, signature) => signer.sign(site, day, text) === signature,
  digest: (site, day, { text, signature }, of) =>
    signer.verify(site, day, text, signature)
      ? hmac(hmac(groupKey, `breakwater challenge|${site}|${day}`), of).toString('latin1')
      : undefined,
}

/** The answer of a person who sees the picture: a code's digits, or `x,y` of a slider's ring. */
export function answerTo(page: string, { site = 1, address = '127.0.0.1', userAgent = '' }: AskedOf): string {
  const agent = hash('sha256', userAgent, 'base64url')
  const bytes = address.split('.').map((part) => String.fromCharCode(Number(part)))
  const asked = openAsk(tokenIn(page), { site, network: networkOf(bytes.join('')), agent }, signer)
  if (asked === undefined) throw new Error('the page was made for somebody else')
  return answerFrom(asked.mode, asked.digest)
}
