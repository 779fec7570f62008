/** The certificate that nginx shows where no site's fits: its listeners need one to start. It vouches for nobody. */
import { join } from 'node:path'
import { selfSigned } from './der.ts'
import { readIfThere, writeDurably } from './files.ts'
import { ownKey } from './keys.ts'
import type { Layout } from './layout.ts'

const YEARS = 20

/** Makes `default.crt` and `default.key` where they are not there yet. nginx's master reads both, its workers neither. */
export async function defaultCertificate(layout: Layout): Promise<void> {
  const path = join(layout.folder, 'default.crt')
  const key = await ownKey(join(layout.folder, 'default.key'), 'tls', layout.private)
  if (await readIfThere(path)) return
  await writeDurably(path, selfSigned(key, 'breakwater default', YEARS), layout.readable)
}
