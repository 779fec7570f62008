/** Signs a path as a customer's application does: the counterpart of edge/src/request/modules/token-auth.ts. */
import { createHash, createHmac } from 'node:crypto'
import type { TokenKind } from '@breakwater/contract/modules/token-auths.ts'

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/** `YYYYMMDDHHMM` at UTC+8. */
const minuteOf = (seconds: number) =>
  new Date((seconds + 8 * 3600) * 1000).toISOString().replace(/[-:T]/g, '').slice(0, 12)

/** `target` is a path with or without a query, `time` epoch seconds, `random` makes two signatures differ. */
export function signUrl(
  { kind, parameter }: { kind: TokenKind; parameter: string },
  { target, key, time, random }: { target: string; key: string; time: number; random: string },
): string {
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const query = mark < 0 ? '' : target.slice(mark)
  const adding = (text: string) => `${path}${query === '' ? '?' : `${query}&`}${text}`
  if (kind === 'A') return adding(`${parameter}=${time}-${random}-0-${md5(`${path}-${time}-${random}-0-${key}`)}`)
  if (kind === 'B') return `/${minuteOf(time)}/${md5(key + minuteOf(time) + path)}${path}${query}`
  if (kind === 'C') return `/${md5(key + path + time.toString(16))}/${time.toString(16)}${path}${query}`
  if (kind === 'D') return adding(`${parameter}=${md5(key + path + time)}&t=${time}`)
  return adding(`${parameter}=${time}-${createHmac('sha256', key).update(`${path}${time}`).digest('base64url')}`)
}
