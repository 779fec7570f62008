/**
 * Ten thousand sites in a running product, inserted into its database with a few statements: through the API it would
 * take an hour.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Product } from './product.ts'

/**
 * Time of the reading, in epoch seconds; objects created since the earlier reading, their bytes and those of all
 * objects of the sites; and CPU time of each part of the product, in s.
 */
type Reading = { at: number; objects: number; bytes: number; whole: number; cpu: Record<string, number> }

export type ManySites = {
  /** A host of each site, in feed order. */
  hosts: string[]
  /** The current state, or what was added since an earlier reading. */
  read(since?: Reading): Promise<Reading>
  close(): Promise<void>
}

/**
 * Inserts sites like an existing one, each with a proven domain bound to the module, an origin and two rules of its
 * own. Not published yet.
 */
export async function openManySites(
  product: Product,
  like: { siteId: number; module: number; port: number },
  count: number,
): Promise<ManySites> {
  const engines = JSON.parse(readFileSync(join(product.dataFolder, 'secrets/engines.json'), 'utf8'))
  const client = new pg.Client({ connectionString: engines.DATABASE_URL })
  await client.connect()
  await client.query(
    `insert into sites (tenant_id, product_id, name, label, limitations)
     select tenant_id, product_id, 'many ' || n, 'many' || n, limitations from sites, generate_series(1, $2::int) n
     where id = $1 order by n`,
    [like.siteId, count],
  )
  const many = `from sites s where s.label like 'many%'`
  await client.query(
    `with made as (
       insert into domains (tenant_id, site_id, name, proof, ownership)
       select tenant_id, id, label || '.example.com', 'proof', 'proven' ${many} returning id, tenant_id)
     insert into domain_modules (domain_id, kind, module_id, tenant_id)
     select id, 'customHeaders', $1, tenant_id from made`,
    [like.module],
  )
  await client.query(
    `insert into upstreams (tenant_id, domain_id, ip, port)
     select d.tenant_id, d.id, '127.0.0.1', $1 from domains d join sites s on s.id = d.site_id where s.label like 'many%'`,
    [like.port],
  )
  const rules = {
    denyRules: { urlRegex: '^/private/', methodValues: ['GET'], ips: ['192.0.2.0/24'] },
    rateRules: { urlRegex: '^/sign-in', rate: 10, burst: 20, blockType: 1 },
  }
  for (const [kind, body] of Object.entries(rules))
    await client.query(
      `insert into rules (tenant_id, site_id, kind, sort, body) select s.tenant_id, s.id, $1, 1, $2::jsonb ${many}`,
      [kind, JSON.stringify(body)],
    )
  await client.query('analyze')
  const { rows } = await client.query<{ label: string }>(`select s.label ${many} order by s.id`)
  const total = async (text: string) => Object.values((await client.query(text)).rows[0]).map(Number) as number[]
  return {
    hosts: rows.map(({ label }) => `${label}.example.com`),
    async read(since) {
      const [at] = (await total('select extract(epoch from clock_timestamp())')) as [number]
      const [objects, bytes] = (await total(
        `select count(*), coalesce(sum(length(bytes)), 0) from objects where created_at > to_timestamp(${since?.at ?? at})`,
      )) as [number, number]
      const [whole] = (await total(
        `select sum(length(o.bytes)) from feed_entries e left join artefact_objects a on a.artefact = e.artefact
         join objects o on o.hash in (a.object, e.artefact)`,
      )) as [number]
      const cpu = parts.map((part) => [part, cpuOf(product.pid(part)) - (since?.cpu[part] ?? 0)] as const)
      return {
        ...{ at, objects, bytes, whole },
        cpu: Object.fromEntries(cpu),
      }
    },
    close: () => client.end(),
  }
}

const parts = ['api', 'node-api', 'postgres', 'agent', 'nginx']

/** CPU time of a process and its descendants, in s. */
function cpuOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    // utime, stime, and those of exited children; in hundredths of a second.
    const own = stat.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0)
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    return children.filter(Boolean).reduce((sum, child) => sum + cpuOf(Number(child)), own)
  } catch {
    // It has just exited; its share is counted in its parent.
    return 0
  }
}
