/** The key of an operator's accounts at certificate authorities: one key for all of them, sealed at rest. */
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { asSystem, type Database } from '../../db/database.ts'
import type { Vault } from '../../secrets/vault.ts'
import { operatorOf } from '../../settings/operator-of.ts'

/** The context for which the key is sealed. */
export const acmeKeyContext = (operatorId: number): string => `acme/${operatorId}`

/** The public key as a JWK, with its members in the order in which thumbprints are computed (RFC 7638). */
export function publicJwk(key: KeyObject) {
  const { crv, kty, x, y } = key.export({ format: 'jwk' })
  return { crv, kty, x, y }
}

/** The key's thumbprint. Together with a token it is the response to a challenge (RFC 8555, 8.1). */
export const thumbprintOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(JSON.stringify(publicJwk(key)))
    .digest('base64url')

/** Returns the key of a tenant's operator, creating it on first use. */
export function accountKeyOf(db: Database, vault: Vault, { tenantId }: { tenantId: number }): Promise<KeyObject> {
  return asSystem(db, async (tx) => {
    const operatorId = await operatorOf(tx, tenantId)
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const sealed = vault.seal(privateKey.export({ type: 'pkcs8', format: 'der' }), acmeKeyContext(operatorId))
    await tx
      .insertInto('acmeKeys')
      .values({ tenantId: operatorId, thumbprint: thumbprintOf(privateKey), sealed })
      .onConflict((on) => on.column('tenantId').doNothing())
      .execute()
    const row = await tx
      .selectFrom('acmeKeys')
      .select('sealed')
      .where('tenantId', '=', operatorId)
      .executeTakeFirstOrThrow()
    const key = vault.open(row.sealed, acmeKeyContext(operatorId))
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  })
}
