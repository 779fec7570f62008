/** A site's TLS settings for its origins, ready for a handshake. */
import type { SettingsPart } from '@breakwater/contract/edge/site-parts.ts'
import { hex, sha256 } from '../nginx/crypto.ts'
import { type Authorities, authoritiesOf, isVouchedFor, pinOf } from '../nginx/peer-certificate.ts'

export type OriginTls = {
  verify: 'off' | 'system' | 'ca' | 'pin'
  authorities: Authorities | undefined
  pins: readonly string[]
  serverName: string | undefined
  /** Connections verified in another way are not reused for this one. */
  identity: string
}

export const plainOriginTls: OriginTls = {
  verify: 'off',
  authorities: undefined,
  pins: [],
  serverName: undefined,
  identity: 'off',
}

/** Throws if the site's own CA certificates cannot be read: a node must not continue without them. */
export function compileOriginTls(given: SettingsPart['originTls']): OriginTls {
  if (given === undefined) return plainOriginTls
  const { verify, ca, serverName } = given
  const pins = given.pins ?? []
  const authorities = verify === 'ca' ? authoritiesOf(ca ?? '') : undefined
  if (verify === 'ca' && authorities === undefined) throw new Error('the authorities of its origins cannot be read')
  const what = verify === 'ca' ? (ca ?? '') : pins.join(' ')
  const identity = what === '' ? verify : `${verify}${hex(sha256(what))}`
  return { verify, authorities, pins, serverName, identity }
}

/** Whether the peer is the expected one, as far as OpenSSL did not verify that in the handshake. */
export function isBelieved(tls: OriginTls, session: unknown, name: string): boolean {
  if (tls.verify === 'ca') return isVouchedFor(session, tls.authorities!, name)
  if (tls.verify !== 'pin') return true
  const pin = pinOf(session)
  return pin !== undefined && tls.pins.includes(pin)
}
