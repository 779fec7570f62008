/**
 * One change that publishes every site of an operator (an error page for all sites) in one transaction: how long the
 * call takes, and how long other users wait for a list meanwhile, compared with an idle server.
 * Run: `node bench/src/bulk.ts [sites]`.
 */
import { cpus } from 'node:os'
import { quantile } from './edge/paired.ts'
import { watchMachine } from './edge/processes.ts'
import { fillSites, startFilledServer } from './lists/filled-server.ts'

const siteCount = Number(process.argv[2] ?? 10_000)
/** Interval between two calls of the waiting user, in ms; a session may burst to 100 calls. */
const everyMs = 100

await using server = await startFilledServer(async (client) => {
  await fillSites(client, siteCount)
  await client.query(
    `insert into domains (tenant_id, site_id, name, proof)
     select tenant_id, id, 'www-' || id || '.example.com', md5(id::text) from sites where name like 'shop %'`,
  )
})
const url = await server.listen()
const operator = await server.signIn('client', 'operator')
const customer = await server.signIn('user', 'customer')

async function ask(token: string, method: string, path: string, body?: object): Promise<number> {
  const begun = performance.now()
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
  const reply = await fetch(`${url}/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await reply.text()
  if (reply.status !== 200) throw new Error(`${method} ${path} answered ${reply.status} ${text}`)
  return performance.now() - begun
}

/** How long a customer waits for the first page of the site list, measured repeatedly until `until` settles. */
async function waits(until: Promise<unknown>): Promise<number[]> {
  let isOver = false
  void until.finally(() => {
    isOver = true
  })
  const took: number[] = []
  while (!isOver) {
    took.push(await ask(customer, 'GET', '/user/sites?pageSize=25'))
    await new Promise((done) => setTimeout(done, everyMs))
  }
  return took
}

const machine = watchMachine()
const alone = await waits(new Promise((done) => setTimeout(done, 5_000)))
const change = ask(operator, 'PUT', '/client/setting/errorPages', {
  ...{ status: 403 },
  content: `<h1>Not here</h1><p>${performance.timeOrigin}</p>`,
})
const meanwhile = await waits(change)
const ms = (took: number[], q: number) => quantile(took, q).toFixed(0)
console.log(`${siteCount} sites published in ${((await change) / 1000).toFixed(1)} s`)
console.log(
  `a page of sites meanwhile: p50 ${ms(meanwhile, 0.5)}, p99 ${ms(meanwhile, 0.99)} ms of ${meanwhile.length}`,
)
console.log(`with nothing else running: p50 ${ms(alone, 0.5)}, p99 ${ms(alone, 0.99)} ms of ${alone.length}`)
console.log(`${cpus()[0]?.model}, ${machine()}`)
