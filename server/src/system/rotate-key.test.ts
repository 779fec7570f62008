import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addSigningKey, openSigner } from '../authority/signing-keys.ts'
import { withSystem } from '../db/database.ts'
import type { Services } from '../process/services.ts'
import { keyFileOf, masterKeys, writeMasterKeys } from '../secrets/master-key.ts'
import { readSiteSecret, writeSiteSecret } from '../secrets/store.ts'
import { makeVault, openVault } from '../secrets/vault.ts'
import { makeTestServices } from '../testing/server.ts'
import { beginRotation, finishRotation, renewSecrets, sealedColumns, shortLived } from './rotate-key.ts'

let services: Services
let stop: () => Promise<void>
let site: { id: number; tenantId: number }
let folder: string
beforeAll(async () => {
  ;({ services, stop } = await makeTestServices())
  const { pool } = services.database
  await pool.query('delete from secrets')
  const { rows } = await pool.query(
    `insert into sites (tenant_id, product_id, name, label, limitations)
     select a.tenant_id, p.id, 'shop', 'label', '{}' from accounts a, products p where a.account = 'customer' limit 1
     returning id, tenant_id as "tenantId"`,
  )
  site = rows[0]
})
afterAll(() => stop())
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bw-keys-'))
  mkdirSync(join(folder, 'keys'))
  await services.database.pool.query('delete from secrets')
  return () => rmSync(folder, { recursive: true, force: true })
})

const write = (vault: ReturnType<typeof makeVault>, value: string) =>
  withSystem(services.database.db, (db) => writeSiteSecret(db, vault, site, 'credential', Buffer.from(value)))
const read = async (vault: ReturnType<typeof makeVault>, version: number) =>
  (
    await withSystem(services.database.db, (db) => readSiteSecret(db, vault, site.id, 'credential', version))
  )?.toString()

describe('a rotation of the master key', () => {
  test('opens what old and new keys sealed, in a running process, and removes the old key', async () => {
    const file = keyFileOf(folder, {})
    const running = openVault(folder)
    const old = readFileSync(file.path)
    expect(old).toHaveLength(32)
    await write(running, 'sealed with the old key')
    expect(await beginRotation(services.database.db, file)).toEqual({ renewed: 1, keys: 2 })
    await write(running, 'sealed with the new key')
    // A process that had not read the file again would seal with the old one.
    await write(makeVault(old), 'sealed with the old key meanwhile')
    const all = ['sealed with the old key', 'sealed with the new key', 'sealed with the old key meanwhile']
    for (const [at, value] of all.entries()) expect(await read(running, at + 1)).toBe(value)
    expect(await finishRotation(services.database.db, file)).toEqual({ renewed: 1, keys: 1 })
    for (const [at, value] of all.entries()) expect(await read(running, at + 1)).toBe(value)
    await expect(read(makeVault(old), 1)).rejects.toThrow()
    expect(statSync(file.path).mode & 0o777).toBe(0o600)
    expect(masterKeys(file)()).toHaveLength(1)
  })

  test('reseals every kind of secret, page by page', async () => {
    const [before, after] = [randomBytes(32), randomBytes(32)]
    const old = makeVault(before)
    const { pool } = services.database
    const { rows } = await pool.query("select id, tenant_id from accounts where account = 'operator'")
    const { id, tenant_id: tenant } = rows[0]
    const seal = (context: string) => old.seal(Buffer.from(context), context)
    await pool.query('insert into totp_secrets (account_id, sealed) values ($1, $2)', [id, seal(`totp/${id}`)])
    const password = seal(`mail settings/${tenant}`).toString('base64')
    await pool.query(
      "insert into settings (owner, owner_id, name, tenant_id, value) values ('operator', $1, 'mail', $1, $2)",
      [tenant, JSON.stringify({ host: 'mail.example', password })],
    )
    // A group whose secret is left empty has nothing to seal.
    const saved = { acme: '', dns: seal(`dns settings/${tenant}`).toString('base64') }
    await pool.query(
      `insert into settings (owner, owner_id, name, tenant_id, value)
       select 'operator', $1, key, $1, jsonb_build_object('secret', value) from jsonb_each_text($2)`,
      [tenant, JSON.stringify(saved)],
    )
    await pool.query(
      `insert into mail_outbox (tenant_id, recipient, template, locale, values, secret)
       select $1, 'r' || n, 'password', 'en_US', '{}', null from generate_series(1, 1100) n`,
      [tenant],
    )
    const { rows: letters } = await pool.query("select id, recipient from mail_outbox where template = 'password'")
    await pool.query(
      'update mail_outbox m set secret = t.sealed from unnest($1::bigint[], $2::bytea[]) as t (id, sealed) where m.id = t.id',
      [letters.map((letter) => letter.id), letters.map(({ recipient }) => seal(`mail/password/${recipient}`))],
    )
    expect(
      await renewSecrets(
        services.database.db,
        makeVault(() => [after, before]),
      ),
    ).toBe(1_103)
    expect(await renewSecrets(services.database.db, makeVault(after))).toBe(0)
    const { rows: mail } = await pool.query("select value->>'password' as password from settings where name = 'mail'")
    const sealed = Buffer.from(mail[0].password, 'base64')
    expect(makeVault(after).open(sealed, `mail settings/${tenant}`).toString()).toBe(`mail settings/${tenant}`)
    await pool.query("delete from settings where name in ('mail', 'acme', 'dns')")
    await pool.query('delete from mail_outbox')
    await pool.query('delete from totp_secrets')
  })

  test('covers every database column with sealed bytes', async () => {
    // Hashes, salts, public keys, content and published data are not sealed.
    const open = /hash$|salt$|_key$|^(bytes|artefact|object|before|previous|tested_as|part|responses|names)$/
    const { rows } = await sql<{ name: string; column: string }>`
      select table_name as name, column_name as "column" from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea'`.execute(services.database.db)
    const sealed = rows.filter(({ column }) => !open.test(column)).map(({ name, column }) => `${name}.${column}`)
    const columns = sealedColumns.filter(({ inJson }) => !inJson)
    const known = [...columns.map(({ table, column }) => `${table}.${column}`), ...shortLived]
    expect(sealed.toSorted()).toEqual(known.toSorted())
  })
})

describe('a master key outside of the data folder', () => {
  const outside = () => join(folder, 'elsewhere.key')

  test('is read from the file set in the environment, and none is created in the data folder', async () => {
    writeFileSync(outside(), `${randomBytes(32).toString('hex')}\n`)
    const file = keyFileOf(folder, { BREAKWATER_MASTER_KEY_FILE: outside() })
    const vault = makeVault(masterKeys(file))
    await write(vault, 'kept')
    expect(await read(vault, 1)).toBe('kept')
    expect(existsSync(join(folder, 'keys', 'master.key'))).toBe(false)
  })

  test('is read from systemd’s credential', () => {
    const key = randomBytes(32)
    writeFileSync(join(folder, 'breakwater-master.key'), key)
    expect(masterKeys(keyFileOf(folder, { CREDENTIALS_DIRECTORY: folder }))()).toEqual([key])
    // A unit with other credentials keeps its key where it was.
    expect(keyFileOf(folder, { CREDENTIALS_DIRECTORY: join(folder, 'keys') }).isOwn).toBe(true)
  })

  test('is rotated by its owner: a new first line, then the command', async () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)]
    writeFileSync(outside(), `${old.toString('base64')}\n`)
    const file = keyFileOf(folder, { BREAKWATER_MASTER_KEY_FILE: outside() })
    await write(makeVault(masterKeys(file)), 'kept')
    writeMasterKeys(file, [fresh, old])
    chmodSync(outside(), 0o400)
    const text = readFileSync(outside(), 'utf8')
    expect(await beginRotation(services.database.db, file)).toEqual({ renewed: 1, keys: 2 })
    expect(readFileSync(outside(), 'utf8')).toBe(text)
    expect(await read(makeVault(fresh), 1)).toBe('kept')
  })

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['too short', 'c2hvcnQ='],
    ['no key at all', 'my secret passphrase'],
  ])('that is %s prevents the start, and no other key is created', (_what, text) => {
    if (text !== undefined) writeFileSync(outside(), text)
    expect(() => masterKeys(keyFileOf(folder, { BREAKWATER_MASTER_KEY_FILE: outside() }))).toThrow(/elsewhere\.key/)
    expect(existsSync(join(folder, 'keys', 'master.key'))).toBe(false)
  })
})

test('a new signing key is announced at once and signs after a week', () => {
  const now = Date.now()
  const first = openSigner(folder, () => now).sign('x').keyId
  const second = addSigningKey(folder, now)
  expect(
    openSigner(folder, () => now)
      .keys()
      .map(({ id }) => id),
  ).toEqual([first, second])
  expect(openSigner(folder, () => now + 86_400_000).sign('x').keyId).toBe(first)
  expect(openSigner(folder, () => now + 8 * 86_400_000).sign('x').keyId).toBe(second)
})
