/** The certificate for the console's own URL, in the database. All functions run as the system. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { ReadCertificate } from '../read-certificate.ts'

/** The context for which its key is sealed. */
export const consoleKeyContext = (name: string): string => `console certificate/${name}`

/** The order of the console's certificate, with the current certificate. */
export type ConsoleOrder = {
  name: string
  chain: string
  notBefore: Date | null
  notAfter: Date | null
  attempts: number
  renewAt: Date
}

/** How long a claim excludes other workers. If a worker dies, its order waits for this long. */
const claim = '15 minutes'

/** Claims the order of a name if it is due. Deletes the certificate and key of any earlier name. */
export async function claimConsoleOrder(db: Database, name: string): Promise<ConsoleOrder | undefined> {
  await db.deleteFrom('consoleCertificates').where('name', '!=', name).execute()
  await db
    .insertInto('consoleCertificates')
    .values({ name })
    .onConflict((on) => on.column('name').doNothing())
    .execute()
  return db
    .updateTable('consoleCertificates')
    .set({ nextAt: sql<Date>`now() + ${claim}::interval` })
    .where('name', '=', name)
    .where('nextAt', '<=', sql<Date>`now()`)
    .returning(['name', 'chain', 'notBefore', 'notAfter', 'attempts', 'renewAt'])
    .executeTakeFirst()
}

type Change = {
  thumbprint?: string
  attempts?: number
  detail?: string
  nextAt?: Date
  renewAt?: Date
}

/** Updates the state of an order. */
export async function noteConsoleOrder(db: Database, name: string, change: Change): Promise<void> {
  await db.updateTable('consoleCertificates').set(change).where('name', '=', name).execute()
}

/** Stores an issued certificate with its key in PEM. */
export async function keepConsoleCertificate(
  db: Database,
  vault: Vault,
  name: string,
  { certificate, key, ...next }: { certificate: ReadCertificate; key: string; nextAt: Date; renewAt: Date },
): Promise<void> {
  const { chain, notBefore, notAfter } = certificate
  const sealed = vault.seal(Buffer.from(key), consoleKeyContext(name))
  await db
    .updateTable('consoleCertificates')
    .set({ chain, notBefore, notAfter, sealed, attempts: 0, detail: '', ...next })
    .where('name', '=', name)
    .execute()
}

/**
 * What a serving process needs: the certificate with its key, and the thumbprint for challenges; empty if there is
 * none.
 */
export async function readConsoleCertificate(
  db: Database,
  vault: Vault,
  name: string,
): Promise<{ thumbprint: string; pair: { cert: string; key: string } | undefined }> {
  const row = await db
    .selectFrom('consoleCertificates')
    .select(['thumbprint', 'chain', 'sealed'])
    .where('name', '=', name)
    .executeTakeFirst()
  const key = row?.sealed && vault.open(row.sealed, consoleKeyContext(name)).toString()
  return { thumbprint: row?.thumbprint ?? '', pair: key ? { cert: row.chain, key } : undefined }
}
