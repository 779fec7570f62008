/** The id by which the vendor knows an installation, and the keys that the installation trusts. */
import { createHash, X509Certificate } from 'node:crypto'
import { authorityCertificate } from '../authority/authority.ts'
import type { Env } from '../process/env.ts'
import { openIssuer, trustedKeys } from './signing.ts'

/** Sixteen bytes derived from the public key of the installation's own authority: `1f2e3d4c-…`. */
export async function installationId(dataFolder: string): Promise<string> {
  const key = new X509Certificate(await authorityCertificate(dataFolder)).publicKey
  const hash = createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('hex')
  return hash.slice(0, 32).match(/.{8}/g)!.join('-')
}

/** The keys from the configuration; if the vendor's console runs here too, also its own key. */
export function trusted(env: Pick<Env, 'dataFolder' | 'adminConsoleEnabled' | 'licenseKeys'>): Buffer[] {
  const own = env.adminConsoleEnabled ? [openIssuer(env.dataFolder).publicKey] : []
  return [...trustedKeys(env.licenseKeys), ...own]
}
