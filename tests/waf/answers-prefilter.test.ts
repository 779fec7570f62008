/** WAF response rules decide alike with and without their prefilter: each fires, and ordinary responses pass. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box, until } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { givePrefilter } from '../../edge/box/prefilter.ts'
import { coreRuleSet } from '../../server/src/waf/core-rule-set.ts'
import { leaks } from './leaks.ts'

type Answer = { type: string; status: number; body: string }

const root = join(import.meta.dirname, '../..')
const rules = coreRuleSet().responses!.rules
const browser = { accept: '*/*', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' }
/** The origin's response for a path. */
const answers = new Map<string, Answer>()
let origin: StubOrigin
/** One with the prefilter and one without: each checks its responses, and refuses nothing. */
let boxes: { filtered: Box; plain: Box }

async function startBox(): Promise<Box> {
  const box = await Box.start({ workers: 1 }, (disk) => {
    const { part, responses } = coreRuleSet()
    disk.feed(
      disk.site({
        ...{ site: 8, hosts: ['seen.test'], origins: [{ port: origin.port }], requires: ['waf', 'wafResponses'] },
        waf: { rules: part, module: { paranoia: 4 }, responses: { mode: 'observe', rules: responses! } },
      }),
    )
  })
  await box.request('seen.test', '/first')
  return box
}

beforeAll(async () => {
  answers.set('/first', { type: 'text/plain', status: 200, body: 'ok' })
  origin = await StubOrigin.start((request, response) => {
    const { type, status, body } = answers.get(request.url!)!
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
  })
  boxes = { filtered: await startBox(), plain: await startBox() }
  await givePrefilter(boxes.filtered)
}, 300_000)
afterAll(async () => {
  await boxes?.filtered.end()
  await boxes?.plain.end()
  await origin?.end()
})

/** What each box found in the responses, by their names. */
async function foundIn(given: Record<string, Answer>): Promise<Record<keyof typeof boxes, Record<string, string>>> {
  const names = Object.keys(given)
  for (const name of names) answers.set(`/${name}`, given[name]!)
  const told = async (box: Box) => {
    for (const name of names)
      expect((await box.request('seen.test', `/${name}`, { headers: browser })).text).toBe(given[name]!.body)
    let found = new Map<string, string>()
    await until('all rows', () => {
      found = new Map(box.rows().map(({ path, waf }) => [path.slice(1), waf!]))
      return names.every((name) => found.has(name))
    })
    return Object.fromEntries(names.map((name) => [name, found.get(name)!]))
  }
  return { filtered: await told(boxes.filtered), plain: await told(boxes.plain) }
}

const html = (body: string): Answer => ({ type: 'text/html', status: 200, body })
/** Long enough to be searched in several time slices. */
const around = '<p>Two old friends met near our house last summer, and talked about the garden.</p>\n'.repeat(150)
const isOf = (rule: number, found: string | undefined) => found?.split(' ').some((one) => one.startsWith(`${rule}:`))

/** Each text that a rule should match; and the same in capitals, within a page, and broken by a newline. */
function positives(): Record<string, Answer & { rule: number }> {
  const found: Record<string, Answer & { rule: number }> = {}
  for (const { id, conditions } of rules) {
    const words = conditions.flatMap((one) => one.words ?? [])
    const texts = [...(leaks[id] ?? []), ...words]
    for (const [n, text] of texts.entries()) {
      const answer = { ...html(text), rule: id, ...(id === 950100 && { status: 500 }) }
      found[`${id}-${n}`] = answer
      if (n < 3) found[`${id}-${n}-within`] = { ...answer, body: `${around}${text}${around}` }
      found[`${id}-${n}-capitals`] = { ...answer, body: `x ${text.toUpperCase()} y` }
      found[`${id}-${n}-broken`] = { ...answer, body: text.replace(' ', '\n') }
    }
  }
  return found
}

test('every response rule fires on what it is meant for, and the prefilter changes no finding', async () => {
  const asked = positives()
  const { filtered, plain } = await foundIn(asked)
  expect(filtered).toEqual(plain)
  // A rule that only sets a variable for others is reported by those.
  const scoring = rules.filter(({ conditions }) => conditions.some(({ score }) => (score ?? 0) > 0))
  const names = Object.keys(asked)
  const fires = (id: number) => names.some((name) => asked[name]!.rule === id && isOf(id, filtered[name]))
  expect(scoring.filter(({ id }) => !fires(id)).map(({ id }) => id)).toEqual([])
  const ofWords = scoring.filter(({ conditions }) => conditions[0]!.operator === 'pm').map(({ id }) => id)
  const missed = names.filter((name) => /-\d+$/.test(name) && ofWords.includes(asked[name]!.rule))
  expect(missed.filter((name) => !isOf(asked[name]!.rule, filtered[name]))).toEqual([])
  expect(boxes.filtered.errors()).not.toContain('prefilter')
}, 300_000)

/** Pages, data and texts of this project, as a file server would respond with them. */
function ordinary(): Record<string, Answer> {
  const found: Record<string, Answer> = {}
  const add = (path: string, type: string) => {
    // Not under their own paths: requests are refused because of file names.
    found[`ordinary-${Object.keys(found).length}`] = { type, status: 200, body: readFileSync(join(root, path), 'utf8') }
  }
  // Without those about a database and its errors, which the rules are meant to match.
  for (const name of ['CONTRIBUTING', 'docs/using', 'docs/glossary', 'docs/screens', 'docs/console-kit'])
    add(`${name}.md`, 'text/plain')
  for (const name of ['package', 'deploy/grafana/edge', 'biome', 'knip']) add(`${name}.json`, 'application/json')
  add('console/index.html', 'text/html')
  add('console/src/app.css', 'text/css')
  return found
}

test('ordinary pages, data and texts pass, with and without the prefilter', async () => {
  const { filtered, plain } = await foundIn(ordinary())
  expect(filtered).toEqual(plain)
  expect(Object.entries(filtered).filter(([, found]) => found !== '')).toEqual([])
}, 120_000)
