import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTestServer, type TestServer } from '../testing/server.ts'

const rule = { urlRegex: '^/login', rate: 5, burst: 10, priority: 10, blockType: 1 }

let server: TestServer
let as: TokenSet
let site: number
beforeAll(async () => {
  server = await makeTestServer()
  as = await server.signIn('user', 'customer')
  site = await server.makeSite(as, 'shop')
})
afterAll(() => server.stop())

const many = () => `/user/site/${site}/firewall/l7/secondRates`
const one = () => `/user/site/${site}/firewall/l7/secondRate`
const add = async (body: object) => (await server.call('POST', many(), { as, body })).body.data.id as number
const revision = async () => (await server.call('GET', `/user/site/${site}`, { as })).body.data.revision as number

describe('rate rules', () => {
  test('a rule is moved to another place, in one revision, and the others keep their order', async () => {
    const ids = [await add(rule), await add(rule), await add(rule)]
    const before = await revision()
    const move = (id: number, to: number) => server.call('PUT', `${many()}/order`, { as, body: { id, to } })
    expect((await move(ids[2]!, 1)).status).toBe(200)
    const list = (await server.call('GET', many(), { as })).body.data as { id: number; priority: number }[]
    expect(list.map(({ id }) => id)).toEqual([ids[0], ids[2], ids[1]])
    expect(await revision()).toBe(before + 1)
    expect((await move(999_999, 0)).body.code).toBe(101018)
    await server.call('DELETE', many(), { as, body: { ids } })
  })

  test('a new one cannot use the legacy protection modes; a stored one keeps its own when it is changed', async () => {
    for (const blockType of [0, 6, 7, 8, 9]) {
      const { status, body } = await server.call('POST', many(), { as, body: { ...rule, blockType } })
      expect([blockType, status, body.extra?.[0]?.field]).toEqual([blockType, 400, 'blockType'])
    }
    const id = await add(rule)
    const stored = `update rules set body = body || '{"blockType":7}' where id = $1`
    await server.services.database.pool.query(stored, [id])
    const edit = await server.call('PUT', one(), { as, body: { id, ...rule, blockType: 7, memo: 'kept' } })
    expect(edit.status).toBe(200)
    await server.call('DELETE', many(), { as, body: { ids: [id] } })
  })

  test('a new one without a priority comes last, also after rules were moved', async () => {
    const { priority: _, ...unplaced } = rule
    const ids = [await add(unplaced), await add(unplaced)]
    await server.call('PUT', `${many()}/order`, { as, body: { id: ids[0]!, to: 1 } })
    const last = await add(unplaced)
    const list = (await server.call('GET', many(), { as })).body.data as { id: number }[]
    expect(list.map(({ id }) => id)).toEqual([ids[1], ids[0], last])
    await server.call('DELETE', many(), { as, body: { ids: [...ids, last] } })
  })

  test('a save based on an older state of the rule is rejected, and the newer state stays', async () => {
    const id = await add(rule)
    const read = async () =>
      ((await server.call('GET', many(), { as })).body.data as { id: number; memo: string; updatedAt: string }[]).find(
        (one) => one.id === id,
      )!
    const seen = (await read()).updatedAt
    const put = (body: object) => server.call('PUT', one(), { as, body: { ...rule, id, ...body } })
    expect((await put({ memo: 'first', basedOn: seen })).status).toBe(200)
    const second = await put({ memo: 'second', basedOn: seen })
    expect([second.status, second.body.extra]).toEqual([409, [{ field: 'basedOn', reason: 'changedMeanwhile' }]])
    expect((await read()).memo).toBe('first')
    expect((await put({ memo: 'second', basedOn: (await read()).updatedAt })).status).toBe(200)
    await server.call('DELETE', many(), { as, body: { ids: [id] } })
  })

  test('several are toggled in one revision: all of them, or none', async () => {
    const ids = [await add(rule), await add(rule)]
    const before = await revision()
    const set = (body: object) => server.call('PUT', many(), { as, body })
    const modes = async () =>
      (await server.call('GET', many(), { as })).body.data.map((row: { enabled: boolean; mode: string }) => [
        row.enabled,
        row.mode,
      ])
    expect((await set({ ids, mode: 'observe' })).status).toBe(200)
    expect(await modes()).toEqual([
      [true, 'observe'],
      [true, 'observe'],
    ])
    expect(await revision()).toBe(before + 1)
    expect((await set({ ids: [...ids, 999_999], enabled: false })).body.code).toBe(101018)
    expect((await set({ ids })).body.extra).toContainEqual({ field: 'enabled', reason: 'required' })
    expect((await modes())[0]).toEqual([true, 'observe'])
    expect(await revision()).toBe(before + 1)
    await server.call('DELETE', many(), { as, body: { ids } })
  })

  test('are added, listed in order of priority, changed and removed', async () => {
    const late = await add({ ...rule, priority: 20 })
    const early = await add({ ...rule, memo: 'door' })
    const list = (await server.call('GET', many(), { as })).body
    expect(list.data.map((row: { id: number }) => row.id)).toEqual([early, late])
    expect(list.data[0]).toMatchObject({ ...rule, memo: 'door', enabled: true, mode: 'enforce', createdBy: 'customer' })
    expect(list.total).toBe(2)
    await server.call('PUT', one(), { as, body: { id: late, ...rule, priority: 1, mode: 'observe' } })
    expect((await server.call('GET', many(), { as })).body.data[0]).toMatchObject({ id: late, mode: 'observe' })
    await server.call('DELETE', many(), { as, body: { ids: [late, early, 999_999] } })
    expect((await server.call('GET', many(), { as })).body).toEqual({ data: [], total: 0 })
  })

  test('every change moves the site to a new revision, a rejected one does not', async () => {
    const before = await revision()
    const id = await add(rule)
    expect(await revision()).toBe(before + 1)
    expect((await server.call('PUT', one(), { as, body: { id: 999_999, ...rule } })).body.code).toBe(101018)
    expect((await server.call('POST', many(), { as, body: { ...rule, rate: 0 } })).status).toBe(400)
    expect(await revision()).toBe(before + 1)
    await server.call('DELETE', many(), { as, body: { ids: [id] } })
  })

  test('each invalid field is reported with its reason', async () => {
    const wrong = async (body: object) => (await server.call('POST', many(), { as, body: { ...rule, ...body } })).body
    expect(await wrong({ rate: 0 })).toMatchObject({ code: 101003, extra: [{ field: 'rate', reason: 'number' }] })
    expect(await wrong({ rate: '5' })).toMatchObject({ code: 101003, extra: [{ field: 'rate' }] })
    expect(await wrong({ burst: -1 })).toMatchObject({ extra: [{ field: 'burst', reason: 'number' }] })
    expect(await wrong({ urlRegex: '' })).toMatchObject({ extra: [{ field: 'urlRegex', reason: 'required' }] })
    expect(await wrong({ urlRegex: '^(a+)+$' })).toMatchObject({
      extra: [{ field: 'urlRegex', reason: 'regexTooComplex' }],
    })
    expect(await wrong({ urlRegex: 'x'.repeat(2049) })).toMatchObject({
      code: 101030,
      extra: [{ field: 'urlRegex', reason: 'charactersExceedLimit' }],
    })
    expect(await wrong({ blockType: 10 })).toMatchObject({ extra: [{ field: 'blockType' }] })
    expect(await wrong({ expiresAt: 'soon' })).toMatchObject({ extra: [{ field: 'expiresAt', reason: 'wrongFormat' }] })
  })

  test('rules beyond the site’s limit are rejected, also when they come concurrently', async () => {
    const roomy = await server.makeSite(as, 'roomy')
    const { database } = server.services
    await database.pool.query(
      "insert into rules (tenant_id, site_id, kind, body) select tenant_id, id, 'rateRules', $2::jsonb from sites, generate_series(1, 198) where id = $1",
      [roomy, JSON.stringify({ urlRegex: '^/', rate: 1, burst: 1, priority: 1, blockType: 1 })],
    )
    const replies = await Promise.all(
      Array.from({ length: 5 }, () =>
        server.call('POST', `/user/site/${roomy}/firewall/l7/secondRates`, { as, body: rule }),
      ),
    )
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 200, 400, 400, 400])
    expect(replies.find((reply) => reply.status === 400)?.body.code).toBe(101029)
  })

  test('a change is written to the audit log with the values before and after', async () => {
    const id = await add(rule)
    await server.call('PUT', one(), { as, body: { id, ...rule, rate: 7 } })
    const { rows } = await server.services.database.pool.query(
      "select * from audit where action = 'site.firewall.l7.secondRate.update' order by id desc limit 1",
    )
    expect(rows[0]).toMatchObject({ account_name: 'customer', method: 'PUT', site_id: site })
    expect(rows[0].detail.changes).toMatchObject([
      { path: `rateRules/${id}`, kind: 'changed', before: { body: { rate: 5 } }, after: { body: { rate: 7 } } },
    ])
  })

  test('the operator sees and changes its customer’s rules; another customer’s operator would not', async () => {
    const operator = await server.signIn('client', 'operator')
    const { status, body } = await server.call('GET', `/client/site/${site}/firewall/l7/secondRates`, { as: operator })
    expect([status, body.total]).toEqual([200, 1])
  })

  test('a rule identical to an enabled one is saved with a warning that names it', async () => {
    const made = async (over: object) =>
      (await server.call('POST', many(), { as, body: { ...rule, urlRegex: '^/twin', ...over } })).body.data
    const first = await made({})
    expect(first.sameAs).toBeNull()
    expect((await made({ memo: 'again', priority: 11 })).sameAs).toBe(first.id)
    expect((await made({ rate: 6 })).sameAs).toBeNull()
    expect((await made({ mode: 'observe' })).sameAs).toBeNull()
  })
})
