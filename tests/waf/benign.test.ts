/**
 * What people write, against the rules at paranoia 1: each sentence of our documents and each text of the consoles, in three
 * languages, as a search, in a form and in JSON. Nobody refuses all of them: what the Core Rule Set means, its reference
 * implementation refuses as well, and nothing else may be.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { givePrefilter } from '../../edge/box/prefilter.ts'
import { coreRuleSet } from '../../server/src/waf/core-rule-set.ts'
import { everything } from '../harness/everything.ts'
import { hasModSecurity, ModSecurity, telling } from '../harness/modsecurity.ts'
import { matchesOf, refused, rulesIn, rulesOfModSecurity, type Sent } from './crs-cases.ts'

const root = resolve(import.meta.dirname, '../..')
const host = 'localhost'
const threshold = 5

const filesIn = (folder: string, name: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path))
    .sort()
    .map((path) => join(root, folder, path))

const sentencesOf = (text: string) =>
  text
    .split(/\n|(?<=[.!?]) /)
    .map((line) => line.replace(/^[|#>*\s-]+/, '').trim())
    .filter((line) => line.length > 20 && line.length < 1_500)

/** A file of words has one list of texts by their keys. */
type Exported = Record<string, Record<string, string>>

async function textsOfPeople(): Promise<string[]> {
  const words = filesIn('console/src', /words\/\w\w_\w\w\.ts$/)
  const modules = await Promise.all(words.map((path) => import(path) as Promise<Exported>))
  const said = modules.flatMap((exported) => Object.values(exported).flatMap((texts) => Object.values(texts)))
  const written = filesIn('docs', /\.md$/).flatMap((path) => sentencesOf(readFileSync(path, 'utf8')))
  return [...new Set([...said, ...written])]
}

const agent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36'

function sent(title: string, line: string, type = '', text = ''): Sent {
  const body = Buffer.from(text)
  const ofBody = type === '' ? [] : [`Content-Type: ${type}`, `Content-Length: ${body.length}`]
  const head = [
    ...[`${line} HTTP/1.1`, `Host: ${host}`, `User-Agent: ${agent}`, 'Accept: text/html,*/*;q=0.8'],
    ...['Accept-Language: en-US,en;q=0.9', 'Accept-Encoding: gzip, deflate, br', 'Cookie: session=4f9a02; theme=dark'],
    ...[...ofBody, '', ''],
  ]
  return { title, head: head.join('\r\n'), body }
}

/** A text in the way that its place in the list says. */
function asRequest(text: string, at: number): Sent {
  const encoded = encodeURIComponent(text).replaceAll('%20', '+')
  const title = `${at} ${text}`
  if (at % 3 === 0) return sent(title, `GET /search?q=${encoded}&page=1`)
  if (at % 3 === 1)
    return sent(title, 'POST /comments', 'application/x-www-form-urlencoded', `name=Ada+Lovelace&comment=${encoded}`)
  return sent(title, 'POST /comments', 'application/json', JSON.stringify({ author: { name: 'Ada' }, comment: text }))
}

/**
 * A percent sign in a query: libmodsecurity decodes REQUEST_URI before the rule does, and so sees `% o` in `%25+o`;
 * ModSecurity 2 and its manual do not. It scores 3 of the 5 that are refused.
 */
const decodedTwice = 920_220

const scoreOf = (told: string) =>
  told
    .split(' ')
    .map((word) => word.split(':'))
    .reduce((sum, [rule, score]) => sum + (Number(rule) > 0 ? Number(score) : 0), 0)

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start((_request, response) => {
    response.setHeader('cache-control', 'no-store').end('origin')
  })
  box = await Box.start({ workers: 2 }, (disk) => {
    disk.feed(
      disk.site({
        ...{ hosts: [host], origins: [{ port: origin.port }], requires: ['waf'] },
        waf: { rules: coreRuleSet().part, module: { paranoia: 1, threshold, bodyBytes: 131_072 } },
      }),
    )
  })
  await givePrefilter(box)
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

test('few of what people write is refused, and none of it before rules are asked', async () => {
  const all = (await textsOfPeople()).map(asRequest)
  const requests = everything ? all : all.filter((_, at) => at % 16 === 0)
  expect(all.length).toBeGreaterThan(5_000)
  const found = await matchesOf(box, requests)
  expect([...found.values()].filter((told) => told === refused || told.includes('budget'))).toEqual([])
  const over = [...found].filter(([, told]) => scoreOf(told) >= threshold)
  console.log(`${over.length} of ${requests.length} texts are refused at paranoia 1`)
  expect(over.length / requests.length).toBeLessThan(0.1)
})

test.skipIf(!everything || !hasModSecurity)('libmodsecurity finds the same rules in each of them', async () => {
  const requests = (await textsOfPeople()).map(asRequest)
  const reference = await ModSecurity.start(origin.port, telling(1))
  try {
    const [ours, theirs] = [await matchesOf(box, requests), await rulesOfModSecurity(reference, requests)]
    const isCompared = (rule: number) => rule > 910_999 && rule < 949_000 && rule !== decodedTwice
    const sorted = (rules: number[]) => [...new Set(rules)].filter(isCompared).sort()
    const different = requests.flatMap(({ title }) => {
      const [here, there] = [sorted(rulesIn(ours.get(title)!)), sorted(theirs.get(title)!)]
      return JSON.stringify(here) === JSON.stringify(there) ? [] : [{ title, here, there }]
    })
    expect(different).toEqual([])
  } finally {
    await reference.end()
  }
})
