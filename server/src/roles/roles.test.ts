import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePerson, signInPerson } from '../testing/people.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let root: TokenSet
beforeAll(async () => {
  server = await makeTestServer()
  root = await server.signIn('user', 'customer')
})
afterAll(() => server.stop())

const make = (as: TokenSet, name: string, permissions: string[]) =>
  server.call('POST', '/user/roles', { as, body: { name, permissions, memo: 'm' } })

test('a role is made, listed, changed and removed', async () => {
  const { id } = (await make(root, 'readers', ['sites.read', 'sites.read', 'logs.read'])).body.data
  const list = (await server.call('GET', '/user/roles?pageSize=1', { as: root })).body
  expect(list.data[0]).toMatchObject({ id, name: 'readers', permissions: ['sites.read', 'logs.read'], accountCount: 0 })
  const change = { name: 'editors', permissions: ['sites.write'], memo: '' }
  expect((await server.call('PUT', `/user/roles/${id}`, { as: root, body: change })).status).toBe(200)
  expect((await server.call('GET', '/user/metaRoles', { as: root })).body.data).toContainEqual({ id, name: 'editors' })
  expect((await server.call('DELETE', `/user/roles/${id}`, { as: root })).status).toBe(200)
  expect((await server.call('DELETE', `/user/roles/${id}`, { as: root })).body.code).toBe(101018)
})

test('several are removed together, all or none; missing ones are not an error', async () => {
  const ids = async (...names: string[]) => {
    const made = await Promise.all(names.map((name) => make(root, name, ['sites.read'])))
    return made.map(({ body }) => body.data.id as number)
  }
  const removal = (as: TokenSet, ...many: number[]) => server.call('DELETE', '/user/roles', { as, body: { ids: many } })
  const names = async () =>
    (await server.call('GET', '/user/metaRoles', { as: root })).body.data.map(({ name }: { name: string }) => name)
  const [one, two, three] = (await ids('bulk one', 'bulk two', 'bulk three')) as [number, number, number]
  await makePerson(server, 'holder', { console: 'user', as: root, permissions: ['sites.read'] })
  const used = (await server.call('GET', '/user/metaRoles', { as: root })).body.data.find(
    ({ name }: { name: string }) => name === 'role of holder',
  ).id as number
  const refused = await removal(root, one, used)
  expect([refused.status, refused.body.code]).toEqual([400, 101009])
  expect(refused.body.errors).toMatchObject([{ code: 101003, targets: ['role of holder'] }])
  expect(await names()).toContain('bulk one')
  expect((await removal(root, one, two, 999_999)).status).toBe(200)
  expect((await removal(root, one)).status).toBe(200)
  const left = await names()
  expect([left.includes('bulk one'), left.includes('bulk two'), left.includes('bulk three')]).toEqual([
    false,
    false,
    true,
  ])
  expect((await removal(root)).body.extra).toEqual([{ field: 'ids', reason: 'required' }])
  // A role above the caller's own is rejected, and another customer's counts as missing.
  await makePerson(server, 'tidier', { console: 'user', as: root, permissions: ['roles.read', 'roles.write'] })
  expect((await removal(await signInPerson(server, 'user', 'tidier'), three)).body.code).toBe(101018)
  await server.makeCustomer('role-stranger')
  expect((await removal(await server.signIn('user', 'role-stranger'), three)).status).toBe(200)
  expect(await names()).toContain('bulk three')
})

test('reports invalid input at its field: an empty name, an unknown key, a name that is taken', async () => {
  expect((await make(root, '', [])).body.extra).toEqual([{ field: 'name', reason: 'required' }])
  expect((await make(root, 'x', ['moon.read'])).body.extra[0].field).toBe('permissions.0')
  expect((await make(root, 'Taken', [])).status).toBe(200)
  const twice = (await make(root, 'taken', [])).body
  expect([twice.code, twice.extra]).toEqual([101025, [{ field: 'name', reason: 'duplicatedData' }]])
})

test('nobody can grant keys they do not hold, or change a role above their own', async () => {
  await makePerson(server, 'deputy', { console: 'user', as: root, permissions: ['roles.read', 'roles.write'] })
  const deputy = await signInPerson(server, 'user', 'deputy')
  const refused = (await make(deputy, 'above', ['roles.read', 'sites.remove'])).body
  expect([refused.code, refused.extra]).toEqual([101018, [{ field: 'permissions.1', reason: 'exceedsYours' }]])
  const { id } = (await make(root, 'strong', ['sites.remove'])).body.data
  const body = { name: 'weak', permissions: [] }
  expect((await server.call('PUT', `/user/roles/${id}`, { as: deputy, body })).body.code).toBe(101018)
  expect((await server.call('DELETE', `/user/roles/${id}`, { as: deputy })).body.code).toBe(101018)
  // A customer's root has no keys of the operator's network, so none of their roles can have them.
  expect((await make(root, 'network', ['nodes.write'])).body.code).toBe(101018)
})

test('a role in use cannot be removed, and a change of it takes effect from the next call', async () => {
  await makePerson(server, 'watcher', { console: 'user', as: root, permissions: ['sites.read'] })
  const watcher = await signInPerson(server, 'user', 'watcher')
  const role = (await server.call('GET', '/user/metaRoles', { as: root })).body.data.find(
    ({ name }: { name: string }) => name === 'role of watcher',
  )
  expect((await server.call('GET', '/user/sites', { as: watcher })).status).toBe(200)
  const removal = (await server.call('DELETE', `/user/roles/${role.id}`, { as: root })).body
  expect([removal.code, removal.extra]).toEqual([101003, 'role in use'])
  const none = { name: 'role of watcher', permissions: [] }
  await server.call('PUT', `/user/roles/${role.id}`, { as: root, body: none })
  expect((await server.call('GET', '/user/sites', { as: watcher })).body.code).toBe(101018)
})

test('roles of another customer do not exist for this one', async () => {
  await server.makeCustomer('other')
  const other = await server.signIn('user', 'other')
  const { id } = (await make(other, 'theirs', [])).body.data
  const body = { name: 'mine', permissions: [] }
  expect((await server.call('PUT', `/user/roles/${id}`, { as: root, body })).body.code).toBe(101018)
  const mine = (await server.call('GET', '/user/metaRoles', { as: root })).body.data
  expect(mine.some((role: { id: number }) => role.id === id)).toBe(false)
})
