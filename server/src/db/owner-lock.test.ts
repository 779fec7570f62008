import { apiTokensMax } from '@breakwater/contract/auth/api-tokens.ts'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makePerson, signInPerson } from '../testing/people.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let customer: TokenSet
let operator: TokenSet
beforeAll(async () => {
  server = await makeTestServer()
})
// The call budget is per session.
beforeEach(async () => {
  customer = await server.signIn('user', 'customer')
  operator = await server.signIn('client', 'operator')
})
afterAll(() => server.stop())

const query = async (text: string, values: unknown[] = []) =>
  (await server.services.database.pool.query(text, values)).rows
const countOf = async (table: string, where = 'true') =>
  (await query(`select count(*)::int as n from ${table} where ${where}`))[0].n as number

/** Sends concurrent calls and returns how many were accepted; every other one must be refused with the limit's code. */
async function takenOf(calls: number, send: (index: number) => ReturnType<TestServer['call']>, code = 101029) {
  const replies = await Promise.all(Array.from({ length: calls }, (_, index) => send(index)))
  const refused = replies.filter(({ status }) => status !== 200)
  expect([...new Set(refused.map(({ body }) => body.code))]).toEqual([code])
  return replies.length - refused.length
}

describe('fifty concurrent calls do not exceed', () => {
  test('the limit of API tokens', async () => {
    await query(
      `insert into api_tokens (tenant_id, account_id, name, token_hash, prefix)
       select tenant_id, id, 'token ' || n, sha256(n::text::bytea), 'bw' from accounts, generate_series(1, $1) n
       where account = 'customer'`,
      [apiTokensMax - 10],
    )
    const make = (index: number) =>
      server.call('POST', '/apiToken', { as: customer, body: { name: `at once ${index}` } })
    expect(await takenOf(50, make)).toBe(10)
    expect(await countOf('api_tokens')).toBe(apiTokensMax)
  })

  test('the limit of roles, nor create two with the same name', async () => {
    await query(
      `insert into roles (tenant_id, name, permissions) select tenant_id, 'role ' || n, '{}' from accounts,
       generate_series(1, 190) n where account = 'customer'`,
    )
    const make = (index: number) =>
      server.call('POST', '/user/roles', { as: customer, body: { name: `at once ${index}`, permissions: [] } })
    expect(await takenOf(50, make)).toBe(10)
    expect(await countOf('roles')).toBe(200)
    await query("delete from roles where name like 'role %'")
    const same = (index: number) =>
      server.call('POST', '/user/roles', { as: customer, body: { name: index % 2 ? 'Same' : 'same', permissions: [] } })
    expect(await takenOf(50, same, 101025)).toBe(1)
  })

  test('the limit of sites, whoever of a customer creates them', async () => {
    await makePerson(server, 'builder', {
      console: 'user',
      as: customer,
      permissions: ['sites.read', 'sites.create'],
      body: { allSites: true },
    })
    const builder = await signInPerson(server, 'user', 'builder')
    await query(
      `insert into sites (tenant_id, product_id, name, label, limitations)
       select a.tenant_id, p.id, 'site ' || n, 'full-' || n, p.limitations
       from accounts a, (select * from products limit 1) p, generate_series(1, 995) n where a.account = 'customer'`,
    )
    const make = (index: number) =>
      server.call('POST', '/user/site', { as: index % 2 ? customer : builder, body: { siteName: `at once ${index}` } })
    expect(await takenOf(50, make, 205001)).toBe(5)
    await query("delete from sites where label like 'full-%'")
  })

  test('the limit of announcements', async () => {
    await query(
      `insert into announcements (tenant_id, texts, level, ordinal, running)
       select tenant_id, '{}', 'info', 0, false from accounts, generate_series(1, 490)
       where account = 'operator'`,
    )
    const body = { texts: { en_US: { title: 'News', content: 'Text' } } }
    const before = await countOf('announcements')
    const make = () => server.call('POST', '/client/setting/announcement', { as: operator, body })
    expect(await takenOf(50, make)).toBe(500 - before)
    expect(await countOf('announcements')).toBe(500)
  })

  test('the limit of mails for a forgotten password per hour', async () => {
    await query("update accounts set email = 'c@example.com' where account = 'customer'")
    const ask = () => server.call('POST', '/user/password/forgot', { body: { account: 'customer' } })
    await Promise.all(Array.from({ length: 50 }, ask))
    expect(await countOf('mail_outbox', "template = 'password'")).toBe(3)
  })
})
