import { permissionsOfTier } from '@breakwater/contract/permissions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeTestServer()
})
afterAll(() => server.stop())

const roots = { user: 'customer', client: 'operator', admin: 'vendor' } as const

test.each(['user', 'client', 'admin'] as const)('the root of %s has every permission of its console', async (tier) => {
  const as = await server.signIn(tier, roots[tier])
  const keys = (await server.call('GET', `/${tier}/permissions`, { as })).body
  const own = (await server.call('GET', `/${tier}/account/permissions`, { as })).body
  expect(own.data.map(({ key }: { key: string }) => key)).toEqual(permissionsOfTier(tier))
  expect(keys.data.map(({ key }: { key: string }) => key)).toEqual(permissionsOfTier(tier))
  expect(keys.total).toBe(keys.data.length)
})

test('a customer’s console has no network permissions; each permission has a text and a group', async () => {
  const as = await server.signIn('user', 'customer')
  const { data } = (await server.call('GET', '/user/permissions', { as })).body
  expect(data.some(({ group }: { group: string }) => group === 'network')).toBe(false)
  expect(data.every(({ name, group }: { name: string; group: string }) => name.length > 5 && group.length > 0)).toBe(
    true,
  )
})
