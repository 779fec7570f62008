/** One word for one thing: words that the glossary forbids appear nowhere in the consoles. */
import { readFileSync } from 'node:fs'
import { words as simplified } from '@breakwater/contract/error-words/zh_CN.ts'
import { words as traditional } from '@breakwater/contract/error-words/zh_TW.ts'
import { expect, test } from 'vitest'
import { locales } from './locale.ts'
import type { Area } from './manifest.ts'

type Texts = Record<string, string>
const glossary = readFileSync(new URL('../../../docs/glossary.md', import.meta.url), 'utf8')
const rows = glossary
  .slice(glossary.indexOf('## Words that are not used'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| instead'))
  .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, string, string])

/** Error texts keep the specification's words. */
const files = Object.entries(
  import.meta.glob<{ phrases: Texts }>(['../*/words/*.ts', '../*/*/words/*.ts'], { eager: true }),
).filter(([path]) => !path.includes('/errors/'))
const titles = Object.values(import.meta.glob<{ area: Area }>('../*/area.ts', { eager: true })).flatMap(
  ({ area: { pages = [], siteTabs = [] } }) => [...pages, ...siteTabs].map(({ title }) => title),
)
/** The sentences of rules, which are written in three languages next to their code: `zh_CN: 'text'`. */
const sentences = Object.entries(
  import.meta.glob<string>('../*/rule-kinds.ts', { query: '?raw', import: 'default', eager: true }),
).flatMap(([path, source]) =>
  [...source.matchAll(/(\w\w_\w\w):\s*'([^']*)'/g)].map(([, language, text]) => [path, language!, text!] as const),
)
const refusals: Record<string, Texts> = { zh_TW: traditional, zh_CN: simplified }

test('the languages in the table are those of the consoles', () => {
  expect(rows.length).toBeGreaterThan(20)
  for (const [, , , language] of rows) expect(Object.keys(locales)).toContain(language)
})

test.each(rows)('no text uses the forbidden word of %s%s', (_, forbidden, _say, language) => {
  // In Latin script, only whole words: "memory" is not "memo". Chinese has no spaces.
  const isLatin = /^[ -~]+$/.test(forbidden)
  const word = new RegExp(isLatin ? `\\b${forbidden}\\b` : forbidden, 'i')
  const said = files
    .filter(([path]) => path.endsWith(`/${language}.ts`))
    .flatMap(([path, { phrases }]) => Object.entries(phrases).map(([key, text]) => [`${path} ${key}`, text] as const))
  const named = titles.map((title) => ['title', title[language as keyof typeof title]] as const)
  const ofRules = sentences.filter(([, of]) => of === language).map(([path, , text]) => [path, text] as const)
  const ofServer = Object.entries(refusals[language] ?? {})
  expect([...said, ...named, ...ofRules, ...ofServer].filter(([, text]) => word.test(text))).toEqual([])
})
