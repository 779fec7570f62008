import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let operator: TokenSet
let customer: TokenSet
beforeAll(async () => {
  server = await makeTestServer()
  operator = await server.signIn('client', 'operator')
  customer = await server.signIn('user', 'customer')
})
afterAll(() => server.stop())
const query = (text: string, values: unknown[] = []) => server.services.database.pool.query(text, values)
afterEach(() => query('delete from announcements'))

const english = (title: string, content = '') => ({ texts: { en_US: { title, content } } })
const send = (method: string, body: object, path = 'announcement') =>
  server.call(method, `/client/setting/${path}`, { as: operator, body })
async function made(body: object): Promise<number> {
  const reply = await send('POST', body)
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
  return reply.body.data.id
}
const all = async () => (await server.call('GET', '/client/setting/announcements', { as: operator })).body
const shown = async (language = 'en-US', as = customer) =>
  (await server.call('GET', '/user/announcements', { as, headers: { 'accept-language': language } })).body
const read = (ids: number[], as = customer) => server.call('POST', '/user/announcements/read', { as, body: { ids } })
const titles = ({ data }: { data: { title: string }[] }) => data.map(({ title }) => title)
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

describe('what a customer sees of an announcement', () => {
  test('is in the reader’s language, or in the closest one that is written', async () => {
    await made({
      texts: { zh_TW: { title: '維護', content: '今晚' }, zh_CN: { title: '维护' }, en_US: { title: 'Maintenance' } },
    })
    expect((await shown('zh-TW')).data[0]).toMatchObject({ title: '維護', content: '今晚' })
    expect(titles(await shown('zh-CN,zh;q=0.9'))).toEqual(['维护'])
    expect(titles(await shown('en-GB'))).toEqual(['Maintenance'])
    await query('delete from announcements')
    await made({ texts: { zh_TW: { title: '只有繁體' } } })
    expect(titles(await shown('zh-CN'))).toEqual(['只有繁體'])
    expect(titles(await shown('en-US'))).toEqual(['只有繁體'])
  })

  test('follows the operator’s order, within its time window, and only while it is enabled', async () => {
    await made({ ...english('second'), ordinal: 2 })
    await made({ ...english('first'), ordinal: 1, level: 'critical', endTime: inSeconds(60) })
    await made({ ...english('off'), running: false })
    await made({ ...english('to come'), startTime: inSeconds(60) })
    const over = await made({ ...english('over'), endTime: inSeconds(60) })
    await query("update announcements set end_time = now() - interval '1 second' where id = $1", [over])
    const list = await shown()
    expect(list.data.map(({ title, running, read }: Record<string, unknown>) => [title, running, read])).toEqual([
      ['first', true, false],
      ['second', false, false],
    ])
    expect([list.total, list.unread]).toEqual([2, 2])
    const states = Object.fromEntries(
      (await all()).data.map(({ title, state }: Record<string, string>) => [title, state]),
    )
    expect(states).toEqual({ first: 'shown', second: 'shown', off: 'off', 'to come': 'waiting', over: 'over' })
  })

  test('is plain text: HTML is not interpreted', async () => {
    const title = '<img src=x onerror=alert(1)>'
    await made(english(title, 'a <b>line</b>\r\nand another'))
    expect((await shown()).data[0]).toMatchObject({ title, content: 'a <b>line</b>\nand another' })
  })

  test('a read announcement leaves the banner for that account, and returns if the operator resets it', async () => {
    const first = await made({ ...english('first'), ordinal: 1 })
    const second = await made({ ...english('second'), ordinal: 2 })
    expect((await read([first, first])).status).toBe(200)
    expect((await read([first])).status).toBe(200)
    const list = await shown()
    expect(list.data).toMatchObject([
      { id: first, read: true, running: false },
      { id: second, read: false, running: true },
    ])
    expect(list.unread).toBe(1)
    expect((await all()).data[0]).toMatchObject({ id: first, readCount: 1 })
    await server.makeCustomer('neighbour')
    expect((await shown('en-US', await server.signIn('user', 'neighbour'))).unread).toBe(2)

    await send('PUT', { id: first, ...english('first, repaired'), ordinal: 1 })
    expect((await shown()).unread).toBe(1)
    await send('PUT', { id: first, ...english('first, anew'), ordinal: 1, showAgain: true })
    expect((await shown()).unread).toBe(2)
  })
})

describe('other tenants', () => {
  test('another operator’s announcements can be neither seen, marked as read, changed nor removed', async () => {
    const { rows } = await query("insert into tenants (kind, name) values ('operator', 'other') returning id")
    const foreign = (
      await query(
        `insert into announcements (tenant_id, texts, level, ordinal, running)
         values ($1, '{"zh_TW":{"title":"x","content":""},"zh_CN":{"title":"","content":""},"en_US":{"title":"","content":""}}', 'info', 0, true)
         returning id`,
        [rows[0].id],
      )
    ).rows[0].id
    const own = await made(english('own'))
    expect(titles(await shown())).toEqual(['own'])
    expect((await all()).total).toBe(1)
    expect((await read([own, foreign])).status).toBe(403)
    expect((await shown()).unread).toBe(1)
    expect((await send('PUT', { id: foreign, ...english('mine now') }, 'announcement')).status).toBe(403)
    // Removing an announcement that this operator does not have succeeds, and removes nothing of another's.
    expect((await send('DELETE', { id: foreign }, 'announcement')).status).toBe(200)
    expect((await all()).total).toBe(1)
    expect((await send('DELETE', { ids: [own, foreign] }, 'announcements')).status).toBe(200)
    expect((await all()).total).toBe(0)
    expect((await query('select from announcements where id = $1', [foreign])).rowCount).toBe(1)
  })

  test('a customer cannot mark an announcement as read by its id while it is disabled or not yet started', async () => {
    const hidden = await made({ ...english('hidden'), running: false })
    expect((await read([hidden])).status).toBe(403)
  })
})

describe('removing and rejecting', () => {
  test('removing one or several announcements leaves an audit entry', async () => {
    const [one, two, three] = [await made(english('1')), await made(english('2')), await made(english('3'))]
    expect((await send('DELETE', { id: one })).status).toBe(200)
    expect((await send('DELETE', { ids: [two, three] }, 'announcements')).status).toBe(200)
    expect((await all()).total).toBe(0)
    const { rows } = await query(
      "select detail from audit where action = 'client.announcements.remove' order by id desc limit 1",
    )
    expect(rows[0].detail.removed).toHaveLength(2)
  })

  const cases: [object, string, string][] = [
    [{ texts: {} }, 'texts.zh_TW.title', 'required'],
    [{ texts: { en_US: { content: 'no title' }, zh_TW: { title: 'x' } } }, 'texts.en_US.title', 'required'],
    [english('x'.repeat(257)), 'texts.en_US.title', 'charactersExceedLimit'],
    [english('x', 'x'.repeat(5001)), 'texts.en_US.content', 'charactersExceedLimit'],
    [english('a\u0007b'), 'texts.en_US.title', 'wrongFormat'],
    [{ ...english('x'), level: 'loud' }, 'level', 'wrongFormat'],
    [{ ...english('x'), ordinal: 1.5 }, 'ordinal', 'number'],
    [{ ...english('x'), startTime: 'tomorrow' }, 'startTime', 'wrongFormat'],
    [
      { ...english('x'), startTime: '2027-01-02T00:00:00Z', endTime: '2027-01-01T00:00:00Z' },
      'endTime',
      'endsBeforeStart',
    ],
    [{ texts: { zh_TW: { title: 'x' }, fr_FR: { title: 'x' } } }, 'texts.fr_FR', 'unknownField'],
  ]
  test.each(cases)('%j is rejected at %s', async (body, field, reason) => {
    const reply = await send('POST', body)
    expect([reply.status, reply.body.extra]).toEqual([400, [{ field, reason }]])
    expect((await all()).total).toBe(0)
  })
})
