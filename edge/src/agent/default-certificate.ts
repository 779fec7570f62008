/** The self-signed certificate that nginx presents if no site's matches: its listeners need one to start. */
import { join } from 'node:path'
import { selfSigned } from './der.ts'
import { readIfThere, writeDurably } from './files.ts'
import { ownKey } from './keys.ts'
import type { Layout } from './layout.ts'

const YEARS = 20

/** Creates `default.crt` and `default.key` if missing. Only nginx's master reads them, its workers do not. */
export async function defaultCertificate(layout: Layout): Promise<void> {
  const path = join(layout.folder, 'default.crt')
  const key = await ownKey(join(layout.folder, 'default.key'), 'tls', layout.private)
  if (await readIfThere(path)) return
  await writeDurably(path, selfSigned(key, 'breakwater default', YEARS), layout.readable)
}
