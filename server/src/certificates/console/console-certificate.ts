/** The certificate of the console's own address in the database. Everything here runs as the system. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { ReadCertificate } from '../read-certificate.ts'

/** What its key is sealed for. */
export const consoleKeyContext = (name: string): string => `console certificate/${name}`

/** The order of the console's certificate, with the one that it has. */
export type ConsoleOrder = {
  name: string
  chain: string
  notBefore: Date | null
  notAfter: Date | null
  attempts: number
  renewAt: Date
}

/** While one worker looks at the order no other does; one that dies leaves it for this long. */
const claim = '15 minutes'

/** Claims the order of a name where it is due. A name of before is forgotten with its key. */
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

/** Keeps how an order stands. */
export async function noteConsoleOrder(db: Database, name: string, change: Change): Promise<void> {
  await db.updateTable('consoleCertificates').set(change).where('name', '=', name).execute()
}

/** Keeps what was issued, with its key in PEM. */
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

/** What a process that serves needs: the certificate with its key, and what answers challenges; empty where there is none. */
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
