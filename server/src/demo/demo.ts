/**
 * `--demo`: a labelled customer with one site, an origin and a little traffic, created through the same calls as any
 * other.
 */
import type { FastifyInstance } from 'fastify'
import { startSession } from '../auth/sessions.ts'
import { withSystem } from '../db/database.ts'
import type { Services } from '../process/services.ts'
import { demoAccount } from '../system/first-run.ts'
import { fillHistory } from './history.ts'
import { demoAddress, startDemoOrigin } from './origin.ts'
import { startTraffic } from './traffic.ts'

type Call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => Promise<{ data: never }>

/**
 * Starts the demo's origin and traffic. On the first run creates its site through calls to `app`, which is closed with
 * the rest.
 */
export async function startDemo(services: Services, app: FastifyInstance): Promise<{ close(): Promise<void> }> {
  const call = await signedIn(app, services)
  const origin = await startDemoOrigin()
  const { siteID, host } = await demoSite(call, origin.port)
  await fillHistory(services.events, { site: siteID, host, ...(await somewhere(services)) })
  const traffic = startTraffic(services.env.edgeHttpPort, host)
  return {
    async close() {
      traffic.stop()
      origin.close()
      await app.close()
    },
  }
}

async function signedIn(app: FastifyInstance, { database }: Services): Promise<Call> {
  const pair = await withSystem(database.db, async (db) => {
    const { id } = await db
      .selectFrom('accounts')
      .select('id')
      .where('tier', '=', 'user')
      .where('account', '=', demoAccount)
      .executeTakeFirstOrThrow()
    await db.updateTable('accounts').set({ mustChangePassword: false }).where('id', '=', id).execute()
    return startSession(db, id, { address: '127.0.0.1', userAgent: 'demo' })
  })
  return async (method, path, body) => {
    const reply = await app.inject({
      method,
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${pair.accessToken}` },
      ...(body ? { payload: body } : {}),
    })
    if (reply.statusCode !== 200)
      throw new Error(`demo: ${method} ${path} answered ${reply.statusCode} ${reply.payload}`)
    return reply.json()
  }
}

type Domain = { id: number; name: string; upstreams: { id: number }[] }

/** The node and zone of the made-up traffic: the node's zone, or the one it will be in. */
async function somewhere({ database }: Services): Promise<{ node: number; zone: number }> {
  return withSystem(database.db, async (db) => {
    const node = await db.selectFrom('nodes').select(['id', 'zoneId']).orderBy('id').executeTakeFirst()
    const zone = await db.selectFrom('zones').select('id').orderBy('id').executeTakeFirstOrThrow()
    return { node: node?.id ?? 1, zone: node?.zoneId ?? zone.id }
  })
}

/**
 * Returns the id and preview host of the demo's site, which is created on the first run. Points it at the origin's port
 * of this run.
 */
async function demoSite(call: Call, port: number): Promise<{ siteID: number; host: string }> {
  const upstream = { ip: demoAddress, port }
  const [known] = (await call('GET', '/user/sites?siteName=Demo')).data as { siteID: number }[]
  const siteID =
    known?.siteID ??
    ((await call('POST', '/user/site', { siteName: 'Demo shop', tags: ['demo'] })).data as { siteID: number }).siteID
  const of = `/user/site/${siteID}`
  const name = 'demo.example.com'
  const found = (await call('GET', `${of}/domains?keywords=${name}`)).data as Domain[]
  const domain = found.find((one) => one.name === name)
  if (domain) await call('PUT', `${of}/domain/${domain.id}/upstream`, { id: domain.upstreams[0]!.id, ...upstream })
  else {
    await call('POST', `${of}/domains`, { domains: [{ name, upstreams: [upstream] }] })
    await call('POST', `${of}/setting/caches`, { type: 'path', values: ['/product/'], ttl: 60, memo: 'demo' })
    await call('POST', `${of}/firewall/l7/secondRates`, {
      urlRegex: '^/login',
      rate: 1,
      burst: 2,
      blockType: 1,
      memo: 'demo',
    })
  }
  return { siteID, host: ((await call('GET', of)).data as { preview: { host: string } }).preview.host }
}
