/** The relational store as entries: every table of our schema in PostgreSQL's COPY text format, from one snapshot. */
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { migrate } from '../db/migrate.ts'
import type { Entry } from './archive.ts'
import { BackupError } from './archive.ts'

const partBytes = 8_000_000
const folder = 'postgres'
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Tables in the order in which foreign keys allow filling them. A table that references itself is filled in one
 * statement.
 */
async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    // The login for callers' transactions belongs to the PostgreSQL server; each server has its own.
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
     and relname <> 'tenant_login' order by relname`,
  )
  const { rows: references } = await client.query<{ name: string; needs: string }>(
    `select c.conrelid::regclass::text as name, c.confrelid::regclass::text as needs from pg_constraint c
     where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conrelid <> c.confrelid`,
  )
  const ordered: string[] = []
  const waiting = new Set(tables.map(({ name }) => name))
  while (waiting.size > 0) {
    const free = [...waiting].filter(
      (name) => !references.some((reference) => reference.name === name && waiting.has(reference.needs)),
    )
    if (free.length === 0) throw new Error(`tables that refer to each other in a circle: ${[...waiting].join(', ')}`)
    ordered.push(...free)
    for (const name of free) waiting.delete(name)
  }
  return ordered
}

async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
     and attgenerated = '' order by attnum`,
    [quoted(table)],
  )
  return rows.map(({ name }) => name)
}

/**
 * Every row of every table from one snapshot. `migrations` is exported like any other table and identifies the schema.
 */
export async function* exportRelational(url: string): AsyncGenerator<Entry> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    for (const table of await tablesOf(client)) {
      const columns = await columnsOf(client, table)
      const stream = client.query(copyTo(`copy ${quoted(table)} (${columns.map(quoted).join()}) to stdout`))
      let part = 0
      let chunks: Buffer[] = [Buffer.from(`${JSON.stringify(columns)}\n`)]
      let bytes = 0
      const take = (): Entry => {
        const entry = { name: `${folder}/${table}/${String(part++).padStart(6, '0')}`, bytes: Buffer.concat(chunks) }
        chunks = []
        bytes = 0
        return entry
      }
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes >= partBytes) yield take()
      }
      if (part === 0 || chunks.length > 0) yield take()
    }
    await client.query('commit')
  } finally {
    await client.end()
  }
}

export type Import = { add(entry: Entry): Promise<void>; finish(): Promise<void>; abandon(): Promise<void> }

/**
 * Fills an empty database: the schema as of the backup, the rows in one transaction, then newer migrations. The entries
 * of a table come one after another, in the order of `exportRelational`.
 */
export async function importRelational(
  url: string,
  tenantUrl: string | undefined,
  beforeCommit: (client: pg.Client) => Promise<void>,
): Promise<Import> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    `select 1 from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  if (rows.length > 0) {
    await client.end()
    throw new BackupError('the database is not empty; a restore takes an empty one')
  }
  let table: { name: string; chunks: Buffer[]; columns: string[] } | undefined
  const held: Entry[] = []
  let begun = false

  async function fill(): Promise<void> {
    if (!table) return
    const { name, chunks, columns } = table
    table = undefined
    await client.query(`alter table ${quoted(name)} disable trigger user`)
    const into = client.query(copyFrom(`copy ${quoted(name)} (${columns.map(quoted).join()}) from stdin`))
    await pipeline(chunks, into)
    await client.query(`alter table ${quoted(name)} enable trigger user`)
    await restartNumbers(client, name)
  }

  async function take(entry: Entry): Promise<void> {
    const [, name = '', part] = entry.name.split('/')
    let bytes = Buffer.from(entry.bytes)
    if (Number(part) === 0) {
      await fill()
      const end = bytes.indexOf('\n')
      table = { name, chunks: [], columns: JSON.parse(bytes.subarray(0, end).toString()) as string[] }
      bytes = bytes.subarray(end + 1)
    }
    if (table?.name !== name) throw new BackupError(`a part of ${name} is out of place`)
    if (bytes.length > 0) table.chunks.push(bytes)
  }

  /** The schema is known once the rows of `migrations` are; entries that come earlier are held until then. */
  async function begin(names: Set<string>): Promise<void> {
    await migrate(url, { wanted: (name) => names.has(name), tenantUrl })
    await client.query('begin')
    const tables = (await tablesOf(client)).map(quoted)
    await client.query(`truncate ${tables.join()} restart identity`)
    begun = true
    for (const entry of held.splice(0)) await take(entry)
  }

  return {
    async add(entry) {
      if (begun) return take(entry)
      held.push(entry)
      if (entry.name.startsWith(`${folder}/migrations/`)) await begin(migrationNames(entry))
    },
    async finish() {
      if (!begun) throw new BackupError('the backup holds no database')
      await fill()
      await beforeCommit(client)
      await client.query('commit')
      await client.end()
      await migrate(url, { tenantUrl })
    },
    abandon: () => client.end(),
  }
}

function migrationNames({ bytes }: Entry): Set<string> {
  const [head = '[]', ...lines] = Buffer.from(bytes).toString().split('\n')
  const at = (JSON.parse(head) as string[]).indexOf('name')
  return new Set(lines.filter((line) => line !== '').map((line) => line.split('\t')[at] ?? ''))
}

/** Sets the next id of a table above all imported ones. */
async function restartNumbers(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attidentity <> ''`,
    [quoted(table)],
  )
  for (const { name } of rows) {
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), coalesce((select max(${quoted(name)}) from ${quoted(table)}), 0) + 1, false)`,
      [quoted(table), name],
    )
  }
}
