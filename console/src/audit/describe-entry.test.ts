import { api } from '@breakwater/contract/index.ts'
import { fill } from '@breakwater/contract/phrases.ts'
import { expect, test } from 'vitest'
import { area as authentication } from '../authentication/area.ts'
import { area as firewall } from '../firewall/area.ts'
import { actionText } from '../pickers/action-text.ts'
import { ruleWordsOf } from '../pickers/rules/kind-words.ts'
import type { Say } from '../platform/phrases.ts'
import { changesOf, doneText, objectOf } from './describe-entry.ts'
import { phrases } from './words/en_US.ts'

const texts: Record<string, string> = { ...ruleWordsOf('audit/en_US', [authentication, firewall], phrases), ...phrases }
const t = ((key: string, values?: Record<string, string | number>) =>
  fill(texts[key] ?? key, 'en_US', values)) as unknown as Say<'audit'>

test('a change lists what happened to each field and leaves out unchanged ones', () => {
  const detail = {
    id: 7,
    account: 'ann',
    before: { name: 'Ann', status: 1, allSites: true },
    after: { name: 'Ann', allSites: false },
  }
  expect(changesOf(detail, t)).toEqual(['Sees every site changed from yes to no'])
  expect(changesOf({ before: { status: 1 }, after: { status: 2 } }, t)).toEqual([
    'Status changed from active to locked',
  ])
  expect(objectOf(detail, null, t)).toBe('ann')
})

test('what was created and what was deleted is described in words', () => {
  expect(changesOf({ after: { name: 'Viewer', permissions: ['sites.read', 'logs.read'], memo: '' } }, t)).toEqual([
    'Name set to Viewer',
    'Permissions set to sites.read, logs.read',
    'Note set to (empty)',
  ])
  expect(changesOf({ before: { name: 'Viewer' } }, t)).toEqual(['Name removed (was Viewer)'])
  expect(changesOf({ accounts: [{ id: 1, account: 'ann' }], sites: [{ id: 2, name: 'shop' }] }, t)).toEqual([
    'Accounts: ann',
    'Sites: shop',
  ])
  expect(changesOf(null, t)).toEqual([])
})

test('codes of the API appear as words, and a site by its name', () => {
  const change = { before: { mode: 'observe', locale: 'zh_TW' }, after: { mode: 'enforce', locale: 'en_US' } }
  expect(changesOf(change, t)).toEqual([
    'Mode changed from observe to enforce',
    'Language changed from 繁體中文 to English',
  ])
  expect(changesOf({ type: 'prefix', count: 2 }, t)).toEqual(['Type: URL prefixes', 'Count: 2'])
  const added = { module: 4, name: 'cors', added: [{ type: 'response', key: 'X-A', value: 'b' }] }
  expect(changesOf(added, t)).toEqual(['Module: 4', 'Name: cors', 'Added: X-A: b'])
  const site = { siteID: 3, siteName: 'shop' }
  expect([objectOf(null, site, t), objectOf(null, { ...site, siteName: null }, t)]).toEqual(['shop', 'Site 3'])
})

test('an action that sets one of several states says which', () => {
  const said = (action: string, detail: unknown) => doneText({ action, detail }, t)
  expect([
    said('client.site.status', { status: 'pause', siteName: 'shop' }),
    said('client.site.status', { status: 'normal' }),
    said('client.node.status', { before: [], after: { status: 0 } }),
    said('client.site.status', null),
  ]).toEqual(['Paused sites', 'Resumed sites', 'Disabled nodes', 'Paused or resumed sites'])
})

test('an action without a text of its own is shown by its name', () => {
  expect([actionText('auth.signIn.failed', t), actionText('some.new.action', t)]).toEqual([
    'Sign-in failed',
    'some.new.action',
  ])
})

test('every audited action has a text', () => {
  const calls = (value: object): { audit?: string }[] =>
    'method' in value ? [value as { audit?: string }] : Object.values(value).flatMap(calls)
  const audited = calls(api).flatMap(({ audit }) => audit ?? [])
  expect(audited.length).toBeGreaterThan(80)
  expect(audited.filter((action) => !(`act.${action}` in texts))).toEqual([])
})
