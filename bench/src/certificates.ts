/**
 * Automatic certificates for many names from a real ACME server (pebble, which rejects every fifth nonce): how long a
 * thousand take within the rate limits of public CAs, and what happens when the CA is unreachable for ten days just
 * when they are due for renewal. Time passes by moving all stored timestamps into the past.
 * Run: `node bench/src/certificates.ts [names]`.
 */
import { createServer as createHttp } from 'node:http'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { cpus } from 'node:os'
import { orderDueCertificates } from '../../server/src/certificates/acme/order-due.ts'
import { startPebble } from '../../server/src/certificates/testing/pebble.ts'
import { startDnsServer } from '../../server/src/testing/dns-server.ts'
import { freePort } from '../../tests/harness/ports.ts'
import { watchMachine } from './edge/processes.ts'
import { fillSites, startFilledServer } from './lists/filled-server.ts'

const count = Number(process.argv[2] ?? 1000)
const perSite = 100
/** Lifetime of a certificate in this bench, and how long the CA is unreachable. */
const [lifeDays, awayDays] = [90, 10]
/** Hours per tick while the CA is unreachable. */
const tickHours = 1
/** The jobs run every minute; a thousand renewals never have to wait longer than this. */
const limitHours = 48

const [httpPort, zone] = [await freePort(), await startDnsServer()]
const names = Array.from({ length: count }, (_, n) => `www.shop-${n}.example`)
for (const name of names) zone.set(name, 'A', '127.0.0.1')
Object.assign(process.env, {
  BREAKWATER_DNS_SERVERS: zone.at,
  BREAKWATER_ACME_HTTP_PORT: String(httpPort),
  BREAKWATER_ALLOW_ORIGINS: '127.0.0.0/8 ::1/128',
})
await using ends = new AsyncDisposableStack()
ends.defer(() => zone.stop())
const pebble = await startPebble(httpPort, zone.at, { lifeDays })
ends.defer(() => pebble.stop())

await using server = await startFilledServer(async (client) => {
  await fillSites(client, Math.ceil(count / perSite))
  await client.query(
    `insert into domains (tenant_id, site_id, name, proof, ownership, auto_ssl)
     select s.tenant_id, s.id, 'www.shop-' || n || '.example', md5(n::text), 'proven', true
     from generate_series(0, $1::int - 1) n join sites s on s.name = 'shop ' || (n / $2::int + 1)`,
    [count, perSite],
  )
})
const { services } = server
const { pool } = services.database

/** The connection to the CA, which can be closed: then nothing listens on its port. */
class Way {
  calls = 0
  private listener: Server | undefined
  private readonly sockets = new Set<Socket>()
  readonly port: number
  private readonly target: number
  constructor(port: number, target: number) {
    this.port = port
    this.target = target
  }
  async open() {
    this.listener = createServer((socket) => {
      this.calls += 1
      const onward = connect(this.target, '127.0.0.1')
      for (const one of [socket, onward]) {
        this.sockets.add(one)
        one.on('error', () => {}).on('close', () => this.sockets.delete(one))
      }
      socket.pipe(onward).pipe(socket)
    })
    await new Promise<void>((done) => this.listener!.listen(this.port, 'localhost', done))
  }
  async close() {
    for (const socket of this.sockets) socket.destroy()
    await new Promise<void>((done) => this.listener?.close(() => done()))
    this.listener = undefined
  }
}
const way = new Way(await freePort(), Number(new URL(pebble.directory).port))
await way.open()
ends.defer(() => way.close())

/** What every node answers: the challenge's token and the thumbprint of the operator's key. */
async function readThumbprint(): Promise<string> {
  const { rows } = await pool.query('select thumbprint from acme_keys')
  return rows[0].thumbprint
}
let thumbprint: Promise<string> | undefined
const node = createHttp(async (request, reply) => {
  thumbprint ??= readThumbprint()
  reply.end(`${request.url?.split('/').at(-1)}.${await thumbprint}`)
})
await new Promise<void>((done) => node.listen(httpPort, '127.0.0.1', done))
ends.defer(() => new Promise<void>((done) => node.close(() => done())))

const { trusted: authorities, keyID, hmacKey } = pebble
await server.call('client', 'operator', 'PUT', '/client/setting/acme', {
  ...{ enable: true, url: `https://localhost:${way.port}/dir`, email: 'a@example.com', profile: '', keyID, hmacKey },
  ...{ authorities, perSite: perSite },
})

const pass = (hours: number) =>
  pool.query(
    `with o as (update certificate_orders set next_at = next_at - $1::interval, renew_at = renew_at - $1::interval),
      e as (update acme_events set at = at - $1::interval)
    update certificates set not_before = not_before - $1::interval, not_after = not_after - $1::interval`,
    [`${hours} hours`],
  )
const stateOf = async () => {
  const { rows } = await pool.query(
    `select count(*) filter (where c.id is not null)::int as held, count(*) filter (where o.renew_at <= now())::int as due,
      count(*) filter (where c.not_after <= now())::int as lapsed, max(o.attempts) as attempts,
      (extract(epoch from min(c.not_after) - now()) / 86400)::float as least
    from certificate_orders o left join certificates c on c.id = o.certificate_id`,
  )
  return rows[0] as { held: number; due: number; lapsed: number; attempts: number; least: number }
}

const why = async (): Promise<string> => {
  const { rows } = await pool.query(
    "select detail, count(*) from certificate_orders where detail <> '' group by 1 order by 2 desc limit 3",
  )
  return JSON.stringify(rows)
}

const machine = watchMachine()
const begun = performance.now()
let busyMs = 0
const look = async () => {
  const from = performance.now()
  await orderDueCertificates(services)
  busyMs += performance.now() - from
}
let hours = 0
for (await look(); (await stateOf()).held < count; await look()) {
  await pass(tickHours)
  hours += tickHours
  if (hours > limitHours)
    throw new Error(`only ${(await stateOf()).held} of ${count} after ${hours} hours: ${await why()}`)
}
console.log(
  `${count} names: ${(busyMs / count).toFixed(0)} ms each of work, ${hours} h by the limit of 300 orders in three hours`,
)
console.log(`the authority was connected to ${way.calls} times`)

await pass((lifeDays * 24 * 2) / 3 + 1)
const { due } = await stateOf()
if (due < count) throw new Error(`only ${due} of ${count} are due`)
await way.close()
busyMs = 0
let lookedAt = 0
for (let gone = 0; gone < awayDays * 24; gone += tickHours) {
  await look()
  await pass(tickHours)
  lookedAt += 1
}
const away = await stateOf()
console.log(
  `away for ${awayDays} days: ${(busyMs / lookedAt).toFixed(0)} ms of work an hour, ${away.attempts} attempts at most, ${away.lapsed} lapsed`,
)

await way.open()
hours = 0
for (await look(); (await stateOf()).due > 0; await look()) {
  await pass(tickHours)
  hours += tickHours
  if (hours > limitHours) throw new Error(`${(await stateOf()).due} of ${count} are still due: ${await why()}`)
}
const after = await stateOf()
if (away.lapsed + after.lapsed > 0) throw new Error('a certificate lapsed')
console.log(
  `back: all ${count} renewed within ${hours} h, none lapsed, the shortest lives ${after.least.toFixed(0)} days`,
)
console.log(`${cpus()[0]?.model}, ${machine()}; ${((performance.now() - begun) / 1000).toFixed(0)} s`)
