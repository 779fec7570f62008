/** The link of a letter, without a mail server: a token of our own is put where the letter's stands, hashed as the server does. */
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Product } from './product.ts'

/** The path that an invited person's letter leads to. The person must have been written to. */
export async function invitationPath(product: Product, tier: string, email: string): Promise<string> {
  const { DATABASE_URL: databaseUrl } = JSON.parse(
    readFileSync(join(product.dataFolder, 'secrets/engines.json'), 'utf8'),
  ) as {
    DATABASE_URL: string
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const token = randomBytes(32).toString('base64url')
    const { rowCount } = await client.query(
      `update mail_tokens m set token_hash = $1 from accounts a, mail_outbox o
       where a.id = m.account_id and a.email = $2 and o.recipient = a.email and o.template = 'invitation' and m.used_at is null`,
      [createHash('sha256').update(token).digest(), email],
    )
    if (rowCount !== 1) throw new Error(`${rowCount} letters to ${email}`)
    return `/${tier}/verifyMail?token=${token}`
  } finally {
    await client.end()
  }
}
