/**
 * What saving a rate rule of a site with 20 rules costs: authentication, the site's lock, the rule, its revision,
 * artefact and feed entry, the audit entry, one commit. Over HTTP, compared with a row of text saved in the same
 * database. Prints the time, the statements, what PostgreSQL wrote and flushed, and the CPU time of this process (the
 * API and its caller) and of PostgreSQL; with `statements`, where the time went.
 * Run: `node bench/src/write.ts [writes] [statements]`.
 */
import { openDatabase } from '../../server/src/db/database.ts'
import { quantile } from './edge/paired.ts'
import { takenHere, watchMachine } from './edge/processes.ts'
import { startFilledServer } from './lists/filled-server.ts'

const writes = Number(process.argv[2] ?? 300)
/** A session may burst to 100 calls. */
const perSession = 80
/** PostgreSQL's processes report their statistics once they have been idle for ten seconds; in ms. */
const countedMs = 11_000

type Spent = { times: number; ms: number }
/** The server's database statements while `isCounting`, by text. */
const asked = new Map<string, Spent>()
let isCounting = false
await using server = await startFilledServer(async (owner) => {
  await owner.query('create table bench_rows (id int generated always as identity, body text)')
})
await using ends = new AsyncDisposableStack()
const database = openDatabase(process.env.DATABASE_URL!)
ends.defer(() => database.close())
const client = await database.pool.connect()
ends.defer(() => client.release())
countStatements(Object.getPrototypeOf(client))
const url = await server.listen()

/** Statements in flight: how many and since when, and how often and how long there were any, in ms. */
const waits = { open: 0, since: 0, times: 0, ms: 0 }

/** Instruments the queries of every connection of this process at the prototype that they share. */
function countStatements(connections: { query: (...given: unknown[]) => unknown }): void {
  const { query } = connections
  connections.query = function counted(...given) {
    const answer = query.apply(this, given)
    if (!isCounting || !(answer instanceof Promise)) return answer
    const [first] = given as [string | { text: string }]
    const text = (typeof first === 'string' ? first : first.text).replace(/\s+/g, ' ').trim()
    const begun = performance.now()
    if (waits.open++ === 0) {
      waits.times++
      waits.since = begun
    }
    const note = () => {
      const { times, ms } = asked.get(text) ?? { times: 0, ms: 0 }
      asked.set(text, { times: times + 1, ms: ms + performance.now() - begun })
      if (--waits.open === 0) waits.ms += performance.now() - waits.since
    }
    answer.then(note, note)
    return answer
  }
}

async function ask(token: string, method: string, path: string, body: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const reply = await fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
  const text = await reply.text()
  if (reply.status !== 200) throw new Error(`${method} ${path} answered ${reply.status} ${text}`)
  return JSON.parse(text).data
}

const rule = (n: number) => ({ urlRegex: `^/part-${n % 20}/`, rate: 10 + n, burst: 20, blockType: 1 })
let token = await server.signIn('user', 'customer')
const { siteID } = await ask(token, 'POST', '/user/site', { siteName: 'written' })
const of = `/user/site/${siteID}/firewall/l7/secondRate`
const ids: number[] = []
for (let n = 0; n < 20; n++) ids.push((await ask(token, 'POST', `${of}s`, rule(n))).id)

/** Flushes of the WAL and its bytes, of all processes. */
async function written(): Promise<{ flushes: number; bytes: number }> {
  await new Promise((done) => setTimeout(done, countedMs))
  const { rows } = await client.query(
    `select (select sum(fsyncs) from pg_stat_io where object = 'wal')::int as flushes, (select wal_bytes from pg_stat_wal)::float as bytes`,
  )
  return rows[0]
}

async function timed(run: (n: number) => Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  for (let n = 0; n < writes; n++) {
    if (n % perSession === 0) token = await server.signIn('user', 'customer')
    const begun = performance.now()
    isCounting = true
    await run(n)
    isCounting = false
    took.push(performance.now() - begun)
  }
  return took
}

const machine = watchMachine()
const save = (n: number) => ask(token, 'PUT', of, { id: ids[n % 20], ...rule(n + 100) })
// Code that runs for the first time is not part of the measurement.
for (let n = 0; n < 20; n++) await save(n + writes)
const before = await written()
const begun = takenHere()
const saved = await timed(save)
const taken = takenHere()
const after = await written()
const ofSaving = [...asked]
const ofWaits = { ...waits }
const alone = await timed(() => client.query('insert into bench_rows (body) values ($1)', ['x'.repeat(200)]))

const tell = (name: string, took: number[]) =>
  console.log(`${name.padEnd(12)} p50 ${quantile(took, 0.5).toFixed(1)}, p99 ${quantile(took, 0.99).toFixed(1)} ms`)
tell('a rule saved', saved)
tell('a row alone', alone)
const each = (sum: number) => (sum / writes).toFixed(1)
const statements = ofSaving.reduce((sum, [, { times }]) => sum + times, 0)
console.log(
  `a rule: ${each(statements)} statements, for which the server waits ${each(ofWaits.times)} times, ${each(ofWaits.ms)} ms in all; ${each(after.flushes - before.flushes)} flushes and ${each((after.bytes - before.bytes) / 1000)} KB of the database's log`,
)
console.log(
  `processor time: the API and its caller ${each((taken.own - begun.own) / 1000)} ms, PostgreSQL ${each((taken.started - begun.started) / 1000)} ms`,
)
if (process.argv[3] === 'statements') {
  for (const [text, { times, ms }] of ofSaving.toSorted(([, one], [, other]) => other.ms - one.ms))
    console.log(`${each(times).padStart(5)} ${(ms / writes).toFixed(2).padStart(6)} ms  ${text.slice(0, 150)}`)
}
console.log(`${machine()}; ${writes} writes`)
