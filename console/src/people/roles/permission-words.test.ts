import { permissions, permissionTree } from '@breakwater/contract/permissions.ts'
import { expect, test } from 'vitest'
import { presetsOf } from './presets.ts'

test.each(['zh_TW', 'zh_CN', 'en_US'])('every permission and every group has a text in %s', async (locale) => {
  const { phrases } = (await import(`../permissions/words/${locale}.ts`)) as { phrases: Record<string, string> }
  expect(permissions.filter((key) => !phrases[key])).toEqual([])
  expect(Object.keys(permissionTree).filter((group) => !phrases[`group.${group}`])).toEqual([])
})

test('a preset has only permissions of its console, and is never empty', () => {
  for (const tier of ['user', 'client'] as const) {
    for (const { keys } of presetsOf(tier)) expect(keys.length).toBeGreaterThan(0)
  }
  expect(presetsOf('user').flatMap(({ keys }) => keys)).not.toContain('nodes.read')
})

test.each(['zh_TW', 'zh_CN', 'en_US'])('every verb of a permission has a text in %s', async (locale) => {
  const { phrases } = (await import(`../permissions/words/${locale}.ts`)) as { phrases: Record<string, string> }
  const verbs = new Set(permissions.map((key) => key.split('.')[1]))
  expect([...verbs].filter((verb) => !phrases[`verb.${verb}`])).toEqual([])
})
