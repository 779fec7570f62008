import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { tiers } from '@breakwater/contract/endpoint.ts'
import { expect, test } from 'vitest'
import { consoleGroups, siteGroups, zoneGroups } from '../platform/groups.ts'
import { pagesOf, siteTabs, zoneTabs } from './areas.ts'

const source = join(import.meta.dirname, '..')
/** The words that the frame loads before any page, and those loaded with the first error. */
const everywhere = ['shell', 'platform', 'kit', 'errors']

/** Returns a file and everything that it imports statically. */
function filesOf(file: string, files = new Set<string>()): Set<string> {
  if (files.has(file) || !/\.tsx?$/.test(file)) return files
  files.add(file)
  const imports = readFileSync(file, 'utf8').matchAll(/^import (?!type )[^'"]*?['"](\.[^'"]+)['"]/gm)
  for (const [, path] of imports) filesOf(resolve(dirname(file), path!), files)
  return files
}

function wordsOf(file: string): string[] {
  const words = [...filesOf(file)].flatMap((one) =>
    [...readFileSync(one, 'utf8').matchAll(/usePhrases\('(\w+)'\)/g)].map(([, area]) => area!),
  )
  return [...new Set(words)].filter((area) => !everywhere.includes(area)).sort()
}

/** The screens in an area's file, each with the words listed for it. */
const entriesOf = (file: string) =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /load: \(\) => import\('([^']+)'\)\.then\(\(file\) => file\.\w+\),\s*(?:words: \[([^\]]*)\])?/g,
    ),
  ].map(([, path, words = '']) => ({
    path: resolve(dirname(file), path!),
    words: [...words.matchAll(/\w+/g)].map(([area]) => area).sort(),
  }))

const files = globSync('*/area.ts', { cwd: source })

test('areas provide pages for every console, and tabs for a site', () => {
  for (const tier of tiers) expect(pagesOf(tier).length).toBeGreaterThan(5)
  expect(siteTabs.length).toBeGreaterThan(9)
  expect(siteTabs[0]?.tab).toBe('overview')
})

test.each(files)('every page of %s has all its words loaded with it, and no others', (file) => {
  // The page of the frame loads the words of the opened tab itself.
  if (file === 'shell/area.ts') return
  for (const { path, words } of entriesOf(join(source, file)).filter(({ path }) => !path.includes('/auth/')))
    expect([path, ...words]).toEqual([path, ...wordsOf(path)])
})

test('no two pages of a console, and no two tabs, have the same path or the same key', () => {
  for (const tier of tiers) {
    const pages = pagesOf(tier)
    const keys = pages.flatMap(({ key = [] }) => key)
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length)
    expect(new Set(keys).size).toBe(keys.length)
  }
  for (const tabs of [siteTabs, zoneTabs]) expect(new Set(tabs.map(({ tab }) => tab)).size).toBe(tabs.length)
})

test('every title is in Traditional and in Simplified Chinese', () => {
  const titles = [
    ...tiers.flatMap((tier) => pagesOf(tier).map(({ title }) => title)),
    ...[...siteTabs, ...zoneTabs].map(({ title }) => title),
    ...Object.values(consoleGroups),
    ...Object.values(siteGroups),
    ...Object.values(zoneGroups),
  ]
  for (const { zh_TW, zh_CN } of titles) {
    expect([zh_TW, /\p{Script=Han}/u.test(zh_TW), /许|账|节|网|权|务|设|级|总|规/.test(zh_TW)]).toEqual([
      zh_TW,
      true,
      false,
    ])
    expect([zh_CN, /\p{Script=Han}/u.test(zh_CN), /許|帳|節|網|權|務|設|級|總|規/.test(zh_CN)]).toEqual([
      zh_CN,
      true,
      false,
    ])
  }
})
