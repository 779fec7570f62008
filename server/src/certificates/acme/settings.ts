/**
 * An operator's certificate authorities: their settings, with secrets sealed, and the order in which they are tried.
 */
import {
  Acme,
  acme,
  GoogleTrust,
  googleTrust,
  ZeroSSL,
  zeroSSL,
} from '@breakwater/contract/certificates/authorities.ts'
import { z } from 'zod'
import { asSystem, type Database } from '../../db/database.ts'
import { Fault, fieldFault } from '../../http/fault.ts'
import type { Feature } from '../../http/implement.ts'
import type { Services } from '../../process/services.ts'
import type { Vault } from '../../secrets/vault.ts'
import { operatorOf } from '../../settings/operator-of.ts'
import { readSettings, settingsFeature } from '../../settings/owned-settings.ts'
import type { Eab } from './client.ts'

/** Sealed, in base64; empty if there is none. */
const sealed = { secret: z.string() }
const SavedAcme = Acme.omit({ hmacKey: true }).extend(sealed)
const SavedZeroSSL = ZeroSSL.omit({ accessKey: true }).extend(sealed)
const SavedGoogle = GoogleTrust.omit({ hmacKey: true }).extend(sealed)

/** The context for which the secret of a settings group is sealed. */
export const authorityContext = (name: string, operatorId: number): string => `authority/${name}/${operatorId}`

const seal = (vault: Vault, name: string, operatorId: number, given: string, before: string): string =>
  given === '' ? before : vault.seal(Buffer.from(given), authorityContext(name, operatorId)).toString('base64')

const open = (vault: Vault, name: string, operatorId: number, secret: string): string =>
  secret === '' ? '' : vault.open(Buffer.from(secret, 'base64'), authorityContext(name, operatorId)).toString()

const { hmacKey: _, hmacKeySet: __, ...acmeDefaults } = acme.defaults
const noneOf = {
  acme: { ...acmeDefaults, secret: '' },
  google: { enable: false, keyID: '', secret: '' },
  zero: { enable: false, email: '', secret: '' },
}

export function authoritySettingsFeature(services: Services): Feature {
  return [
    ...settingsFeature(services, acme, {
      saved: SavedAcme,
      none: noneOf.acme,
      save({ vault }, _db, { tenantId }, { hmacKey, ...rest }, before) {
        // A stored key may only be sent to the directory that it was saved for.
        if (hmacKey === '' && before.secret !== '' && rest.url !== before.url)
          throw fieldFault('hmacKey', 'giveSecretAgain')
        return { ...rest, secret: rest.keyID === '' ? '' : seal(vault, acme.name, tenantId, hmacKey, before.secret) }
      },
      show: (_services, _caller, { secret, ...rest }) => ({ ...rest, hmacKey: '' as const, hmacKeySet: secret !== '' }),
      audited: ({ secret: _secret, ...rest }) => rest,
    }),
    ...settingsFeature(services, zeroSSL, {
      saved: SavedZeroSSL,
      none: noneOf.zero,
      save({ vault }, _db, { tenantId }, { accessKey, ...rest }, before) {
        if (rest.enable && accessKey === '' && before.secret === '') throw fieldFault('accessKey', 'required')
        return { ...rest, secret: seal(vault, zeroSSL.name, tenantId, accessKey, before.secret) }
      },
      show: (_services, _caller, { secret, ...rest }) => ({
        ...rest,
        accessKey: '' as const,
        accessKeySet: secret !== '',
      }),
      audited: ({ secret: _secret, ...rest }) => rest,
    }),
    ...settingsFeature(services, googleTrust, {
      saved: SavedGoogle,
      none: noneOf.google,
      save({ vault }, _db, { tenantId }, { hmacKey, ...rest }, before) {
        if (rest.enable && rest.keyID === '') throw fieldFault('keyID', 'required')
        if (rest.enable && hmacKey === '' && before.secret === '') throw fieldFault('hmacKey', 'required')
        return { ...rest, secret: seal(vault, googleTrust.name, tenantId, hmacKey, before.secret) }
      },
      show: (_services, _caller, { secret, ...rest }) => ({ ...rest, hmacKey: '' as const, hmacKeySet: secret !== '' }),
      audited: ({ secret: _secret, ...rest }) => rest,
    }),
  ]
}

/** Where certificates are ordered. `eab` is called once, when the account is created. */
export type Authority = {
  directory: string
  email: string
  profile: string
  /** Trusted root certificates in PEM; empty for the system's own. */
  trusted: string
  eabKeyId: string
  eab: (ask: (url: string) => Promise<Response>) => Promise<Eab | undefined>
}

const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory'
const google = 'https://dv.acme-v02.api.pki.goog/directory'
const zeroDirectory = 'https://acme.zerossl.com/v2/DV90'
const zeroEab = 'https://api.zerossl.com/acme/eab-credentials?access_key='

/** An operator's authorities in order: if one keeps failing, the next is tried. Runs as the system. */
export async function authoritiesOf(db: Database, vault: Vault, operatorId: number): Promise<Authority[]> {
  const found: Authority[] = []
  const own = (await readSettings(db, 'operator', operatorId, acme.name, SavedAcme)) ?? noneOf.acme
  const eabOf = (keyId: string, hmacKey: string) => async () => (keyId === '' ? undefined : { keyId, hmacKey })
  if (own.enable) {
    const { url, email, profile, authorities, keyID } = own
    const eab = eabOf(keyID, open(vault, acme.name, operatorId, own.secret))
    found.push({ directory: url || letsEncrypt, email, profile, trusted: authorities, eabKeyId: keyID, eab })
  }
  const trust = await readSettings(db, 'operator', operatorId, googleTrust.name, SavedGoogle)
  if (trust?.enable) {
    const eab = eabOf(trust.keyID, open(vault, googleTrust.name, operatorId, trust.secret))
    found.push({ directory: google, email: '', profile: '', trusted: '', eabKeyId: trust.keyID, eab })
  }
  const zero = await readSettings(db, 'operator', operatorId, zeroSSL.name, SavedZeroSSL)
  if (zero?.enable) {
    const accessKey = open(vault, zeroSSL.name, operatorId, zero.secret)
    found.push({
      directory: zeroDirectory,
      email: zero.email,
      profile: '',
      trusted: '',
      eabKeyId: '',
      eab: (ask) => zeroCredentials(ask, accessKey),
    })
  }
  return found
}

async function zeroCredentials(ask: (url: string) => Promise<Response>, accessKey: string): Promise<Eab> {
  const reply = await ask(`${zeroEab}${encodeURIComponent(accessKey)}`)
  const given = (await reply.json()) as { success?: boolean; eab_kid?: string; eab_hmac_key?: string }
  if (!given.eab_kid || !given.eab_hmac_key) throw new Error('ZeroSSL does not take the access key')
  return { keyId: given.eab_kid, hmacKey: given.eab_hmac_key }
}

/** Throws 401004 if the site may not have this many domains with automatic certificates. */
export function requireOrderRoom(db: Database, { tenantId }: { tenantId: number }, count: number): Promise<void> {
  return asSystem(db, async (tx) => {
    const operatorId = await operatorOf(tx, tenantId)
    const { perSite } = (await readSettings(tx, 'operator', operatorId, acme.name, SavedAcme)) ?? noneOf.acme
    if (perSite > 0 && count > perSite) throw new Fault('autoSslExceedsLimit', { max: perSite })
  })
}
