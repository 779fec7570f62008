import { afterAll, beforeAll, expect, test } from 'vitest'
import { withSystem } from '../db/database.ts'
import { type LogServer, startLogServer } from '../logs/testing/log-server.ts'
import { coreRuleSet } from '../waf/core-rule-set.ts'
import { keepRuleSet } from '../waf/keep-rule-set.ts'
import { defaultWidgets } from './default-layout.ts'

let server: LogServer

beforeAll(async () => {
  server = await startLogServer()
})
afterAll(() => server.stop())

const widget = { id: 'a', kind: 'series', type: 2, x: 0, y: 0, w: 6, h: 2 }

test('an account gets the default layout until it saves its own, even an empty one', async () => {
  const as = server.mine.token
  const standard = (await server.call('GET', '/dashboard/default', { as })).body.data
  expect(standard.widgets.length).toBeGreaterThan(4)
  expect((await server.call('GET', '/user/dashboard', { as })).body.data).toEqual(standard)
  const mine = { widgets: [widget, { ...widget, id: 'b', board: 'Attacks', x: 6 }] }
  expect((await server.call('PUT', '/user/dashboard', { as, body: mine })).body).toEqual({})
  expect((await server.call('GET', '/user/dashboard', { as })).body.data).toEqual({
    widgets: [{ ...widget, board: '' }, mine.widgets[1]],
  })
  const theirs = await server.call('GET', '/user/dashboard', { as: server.theirs.token })
  expect(theirs.body.data).toEqual(standard)
  await server.call('PUT', '/user/dashboard', { as, body: { widgets: [] } })
  expect((await server.call('GET', '/user/dashboard', { as })).body.data).toEqual({ widgets: [] })
})

test('the default layout has traffic of 24 hours and of 30 days, and requests per second', () => {
  const kinds = defaultWidgets.map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['day', 'month', 'qps', 'card', 'top']))
})

test.each([
  ['beyond the grid', { ...widget, x: 8 }, 'widgets.0.w'],
  ['of a type that the kind has not', { ...widget, type: 3 }, 'widgets.0.type'],
  ['without a name', { ...widget, id: '' }, 'widgets.0.id'],
])('a widget %s is rejected at its field', async (_name, wrong, field) => {
  const { status, body } = await server.call('PUT', '/client/dashboard', {
    as: server.operator,
    body: { widgets: [wrong] },
  })
  expect([status, body.extra[0].field]).toEqual([400, field])
})

test('two widgets with the same id, or more than sixty, are rejected', async () => {
  const save = (widgets: object[]) =>
    server.call('PUT', '/client/dashboard', { as: server.operator, body: { widgets } })
  expect((await save([widget, widget])).body.extra).toEqual([{ field: 'widgets', reason: 'wrongFormat' }])
  const many = Array.from({ length: 61 }, (_, i) => ({ ...widget, id: `w${i}` }))
  expect((await save(many)).body.code).toBe(101029)
})

const attention = async (as = server.mine.token, tier = 'user') =>
  (await server.call('GET', `/${tier}/dashboard/attention`, { as })).body.data as { kind: string; name: string }[]
const kinds = (list: { kind: string; name: string }[]) => list.map(({ kind, name }) => `${kind} ${name}`).sort()

test('a site under attack is reported to its owner and the operator until the attack is over', async () => {
  const { db } = server.services.database
  const { site } = server.mine
  const seen = { reason: 'requests', rate: 500, threshold: 100, node: 'edge-1', nodeId: server.node.nodeId } as const
  await withSystem(db, async (tx) => {
    const { tenantId } = await tx
      .selectFrom('sites')
      .select('tenantId')
      .where('id', '=', site)
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('siteAttacks')
      .values({ ...seen, siteId: site, tenantId })
      .execute()
  })
  expect(await attention()).toMatchObject([{ kind: 'siteUnderAttack', siteID: site, siteName: 'my site' }])
  expect(kinds(await attention(server.operator, 'client'))).toContain('siteUnderAttack my site')
  expect(await attention(server.theirs.token)).toEqual([])
  await withSystem(db, (tx) => tx.updateTable('siteAttacks').set({ endedAt: new Date() }).execute())
  expect(await attention()).toEqual([])
})

test('an update of the WAF’s rules is reported to the operator until tested, with the zone to test it in', async () => {
  const { db } = server.services.database
  const { rows } = await server.services.database.pool.query("select id from tenants where kind = 'operator' limit 1")
  const made = { ...coreRuleSet(), part: { ...coreRuleSet().part, name: 'OWASP CRS 3.9' } }
  const kept = { operatorId: rows[0].id as number, fileName: 'modsecurity-crs', actor: 'system', isUpdate: true }
  const id = await withSystem(db, (tx) => keepRuleSet(tx, made, kept))
  const told = async (...who: Parameters<typeof attention>) =>
    (await attention(...who)).filter(({ kind }) => kind === 'ruleSetUpdate')
  expect(await told(server.operator, 'client')).toMatchObject([
    { name: 'OWASP CRS 3.9', zone: { id: expect.any(Number), name: expect.any(String) } },
  ])
  expect(await told()).toEqual([])
  await withSystem(db, (tx) =>
    tx
      .updateTable('wafRuleSets')
      .set({ trial: JSON.stringify({}) })
      .where('id', '=', id)
      .execute(),
  )
  expect(await told(server.operator, 'client')).toEqual([])
})

test('each item is reported to whom it concerns: nodes to operators, domains and sites to their owners', async () => {
  const { db } = server.services.database
  const added = await server.call('POST', `/user/site/${server.mine.site}/domains`, {
    as: server.mine.token,
    body: { domains: [{ name: 'pending.example.com', upstreams: [{ ip: '198.41.0.4', port: 80 }] }] },
  })
  expect([added.status, added.body.code]).toEqual([200, undefined])
  expect(kinds(await attention())).toEqual(['domainPending pending.example.com'])
  expect(await attention(server.theirs.token)).toEqual([])
  const second = await server.call('POST', `/user/site/${server.mine.site}/domains`, {
    as: server.mine.token,
    body: { domains: [{ name: 'second.example.com', upstreams: [{ ip: '198.41.0.4', port: 80 }] }] },
  })
  // The pending domains of a site are one entry: a list of a hundred would hide everything else.
  expect(await attention()).toMatchObject([{ kind: 'domainPending', siteName: 'my site', count: 2 }])
  const ids = second.body.data.ids ?? second.body.data.map(({ id }: { id: number }) => id)
  await server.call('DELETE', `/user/site/${server.mine.site}/domains`, { as: server.mine.token, body: { ids } })
  expect(kinds(await attention(server.operator, 'client'))).toEqual([
    'domainPending pending.example.com',
    'nodeAway edge-1',
  ])
  await withSystem(db, (tx) => tx.updateTable('nodes').set({ lastSeenAt: new Date() }).execute())
  await server.services.database.pool.query("update revisions set created_at = now() - interval '1 hour'")
  expect(kinds(await attention())).toEqual(['domainPending pending.example.com', 'siteNotLive my site'])
  const reason = 'a guard does not compile'
  const values = { nodeId: server.node.nodeId, siteId: server.theirs.site, revision: 1, reason }
  await withSystem(db, (tx) => tx.insertInto('nodeExceptions').values(values).execute())
  expect(await attention(server.theirs.token)).toMatchObject([{ kind: 'siteRefused', detail: reason }])
  expect(kinds(await attention(server.operator, 'client'))).toEqual([
    'domainPending pending.example.com',
    'siteNotLive my site',
    'siteRefused their site',
  ])
})
