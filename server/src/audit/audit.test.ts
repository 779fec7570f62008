import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePerson, signInPerson } from '../testing/people.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { verifyAudit } from './verify.ts'

let server: TestServer
let customer: TokenSet
let operator: TokenSet
beforeAll(async () => {
  server = await makeTestServer()
  customer = await server.signIn('user', 'customer')
  operator = await server.signIn('client', 'operator')
})
afterAll(() => server.stop())

const query = (text: string, values: unknown[] = []) => server.services.database.pool.query(text, values)
const ask = async (as: TokenSet, tier: string, body: object = {}) =>
  (await server.call('POST', `/${tier}/auditLogs`, { as, body: { pageSize: 500, ...body } })).body
type Entry = {
  siteID: number
  siteName: string | null
  accountName: string
  action: string
  detail: unknown
  status: number
  reqID: string
  url: string
}
const actions = (reply: { data: Entry[] }) => reply.data.map(({ action }) => action)

describe('the audit log', () => {
  test('records a write with its values before and after, its address and its request id', async () => {
    const { id } = (
      await server.call('POST', '/user/roles', { as: customer, body: { name: 'traced', permissions: ['sites.read'] } })
    ).body.data
    const body = { name: 'traced', permissions: [], memo: 'less' }
    const reply = await server.call('PUT', `/user/roles/${id}`, { as: customer, body })
    const found = await ask(customer, 'user', { reqID: reply.headers['x-request-id'] })
    expect(found.total).toBe(1)
    expect(found.data[0]).toMatchObject({
      accountName: 'customer',
      action: 'role.update',
      method: 'PUT',
      url: `/api/v1/user/roles/${id}`,
      status: 200,
      proxyName: null,
      tokenName: null,
      detail: { id, before: { permissions: ['sites.read'], memo: '' }, after: body },
    })
    expect(found.data[0].clientIP).toMatch(/^10\./)
  })

  test('filters by name, address, method, action and time, newest first, in pages', async () => {
    await server.call('POST', '/user/code', { body: { account: 'customer', password: 'wrong-pass-1' } })
    const failed = await ask(customer, 'user', { action: 'signIn.failed' })
    expect(failed.data[0]).toMatchObject({ accountName: 'customer', status: 401 })
    expect(actions(await ask(customer, 'user', { method: 'put', url: '/roles/' }))).toEqual(['role.update'])
    expect((await ask(customer, 'user', { accountName: 'nobody' })).total).toBe(0)
    expect((await ask(customer, 'user', { endTime: '2020-01-01T00:00:00Z' })).total).toBe(0)
    const all = await ask(customer, 'user')
    const second = await ask(customer, 'user', { page: 2, pageSize: 1 })
    expect([second.total, second.data[0].reqID]).toEqual([all.total, all.data[1].reqID])
    const wrong = { startTime: '2024-01-02T00:00:00Z', endTime: '2024-01-01T00:00:00Z' }
    expect((await ask(customer, 'user', wrong)).extra[0].field).toBe('endTime')
    // No column can hold a NUL byte, so every call rejects it at its field.
    expect((await ask(customer, 'user', { accountName: 'a\0b' })).extra[0]).toEqual({
      field: 'accountName',
      reason: 'wrongFormat',
    })
  })

  test('an operator sees its customers’ entries, a customer what the operator did to it, others neither', async () => {
    const siteId = await server.makeSite(customer, 'watched')
    const rule = { ips: ['192.0.2.1'] }
    const path = `/client/site/${siteId}/firewall/l7/blacklists`
    expect((await server.call('POST', path, { as: operator, body: rule })).status).toBe(200)
    expect(actions(await ask(operator, 'client', { siteID: siteId }))).toContain('site.create')
    const mine = await ask(customer, 'user', { siteID: siteId })
    expect(mine.data.map(({ accountName }: Entry) => accountName)).toEqual(['operator', 'customer'])
    expect(mine.data.map(({ siteName }: Entry) => siteName)).toEqual(['watched', 'watched'])
    await server.makeCustomer('stranger')
    const stranger = await server.signIn('user', 'stranger')
    expect(new Set((await ask(stranger, 'user')).data.map(({ accountName }: Entry) => accountName))).toEqual(
      new Set(['stranger']),
    )
    const vendor = await server.signIn('admin', 'vendor')
    expect(new Set((await ask(vendor, 'admin')).data.map(({ accountName }: Entry) => accountName))).toEqual(
      new Set(['vendor']),
    )
  })

  test('a sub-account reads its own entries and those of accounts below it', async () => {
    await makePerson(server, 'reader', { console: 'user', as: customer, permissions: ['audit.read'] })
    const reader = await signInPerson(server, 'user', 'reader')
    expect(new Set((await ask(reader, 'user')).data.map(({ accountName }: Entry) => accountName))).toEqual(
      new Set(['reader']),
    )
  })
})

describe('the export', () => {
  test('has the same entries as CSV, newest first, and contains nothing that a spreadsheet would execute', async () => {
    const made = await server.call('POST', '/apiToken', { as: customer, body: { name: '=1+1,"2"' } })
    const program = { ...customer, accessToken: made.body.data.token }
    await server.call('POST', '/user/roles', { as: program, body: { name: 'by a program', permissions: [] } })
    const asked = { action: 'role.create' }
    const reply = await server.call('POST', '/user/auditLogs/export', { as: customer, body: asked })
    expect(reply.status).toBe(200)
    expect(reply.headers['content-disposition']).toBe('attachment; filename="audit.csv"')
    const [head, first] = String(reply.body).replace('\ufeff', '').split('\r\n')
    expect(head).toBe('time,account,console,actingBy,token,action,status,method,url,siteID,address,requestID,detail')
    expect(first).toContain(`,"'=1+1,""2""",role.create,`)
    const whole = await server.call('POST', '/user/auditLogs/export', { as: customer, body: {} })
    const { total } = await ask(customer, 'user')
    expect(String(whole.body).trimEnd().split('\r\n').length - 1).toBeGreaterThanOrEqual(total - 2)
    // Its own entry is written once the last byte has been sent.
    const exports = async () => actions(await ask(customer, 'user', { action: 'logs.audit.export' })).length
    await expect.poll(exports).toBe(2)
  })

  test('reads slices without gaps or duplicates', async () => {
    const { matching, slices } = await import('./audit.store.ts')
    const { asSystem, withSystem } = await import('../db/database.ts')
    const { rows } = await query("select id, tenant_id from accounts where account = 'customer'")
    const caller = { tier: 'user', tenantId: rows[0].tenant_id, isRoot: true, accountId: rows[0].id } as never
    const { db } = server.services.database
    const ids: number[] = []
    for await (const slice of slices((run) => withSystem(db, run), caller, {}, { size: 3, max: 1000 }))
      ids.push(...slice.map(({ id }) => id))
    const all = await withSystem(db, (tx) => asSystem(tx, (sys) => matching(sys, caller, {}).select('id').execute()))
    expect(ids.length).toBeGreaterThan(6)
    expect([...ids].sort((a, b) => a - b)).toEqual(all.map(({ id }) => id).sort((a, b) => a - b))
  })
})

describe('the hash chain', () => {
  test('holds when several callers write entries at the same time', async () => {
    const burst = Array.from({ length: 12 }, (_, i) =>
      server.call('POST', i % 2 ? '/user/roles' : '/client/roles', {
        as: i % 2 ? customer : operator,
        body: { name: `burst ${i} 例子`, permissions: [] },
      }),
    )
    expect((await Promise.all(burst)).map(({ status }) => status)).toEqual(Array(12).fill(200))
    const { chains, breaks } = await verifyAudit(server.services.database)
    expect(breaks).toEqual([])
    expect(chains.length).toBeGreaterThanOrEqual(3)
    const { rows } = await query('select count(*)::int as n from audit')
    expect(chains.reduce((sum, { entries }) => sum + entries, 0)).toBe(rows[0].n)
  })

  test('reports an entry that was changed and one that is missing', async () => {
    const { rows } = await query("select id, tenant_id from audit where account_name = 'customer' order by id limit 3")
    await query("update audit set detail = '{}' where id = $1", [rows[0].id])
    await query('delete from audit where id = $1', [rows[1].id])
    expect((await verifyAudit(server.services.database)).breaks).toEqual([
      { tenantId: rows[0].tenant_id, entry: rows[0].id, what: 'changed' },
      { tenantId: rows[2].tenant_id, entry: rows[2].id, what: 'missing before it' },
    ])
  })

  test('neither callers nor the system can change entries', async () => {
    for (const role of ['breakwater_tenant', 'breakwater_system']) {
      const client = await server.services.database.pool.connect()
      await client.query(`set role ${role}`)
      await expect(client.query("update audit set action = 'x'")).rejects.toThrow('permission denied')
      await expect(client.query('delete from audit')).rejects.toThrow('permission denied')
      await client.query('reset role')
      client.release()
    }
  })
})
