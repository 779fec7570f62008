/**
 * The Core Rule Set's own regression tests against our engine: the same results, except for what is pinned here with
 * its reason.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from '../../edge/box/harness.ts'
import { beInspectedBeside, costlyForm, takenBeside } from '../../edge/box/inspection-threads.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { givePrefilter } from '../../edge/box/prefilter.ts'
import { coreRuleSet } from '../../server/src/waf/core-rule-set.ts'
import { everything } from '../harness/everything.ts'
import { hasModSecurity, ModSecurity, telling } from '../harness/modsecurity.ts'
import {
  type Case,
  matchesOf,
  mutated,
  readCases,
  refused,
  rulesIn,
  rulesOfModSecurity,
  stretched,
} from './crs-cases.ts'

/** Cases that are decided differently than their authors expect, by reason. */
const differences = {
  'nginx and the edge refuse it before any rule is asked: a malformed request line, no Host, a NUL or control character':
    [
      ...['920100-6', '920100-14', '920270-1', '920270-2', '920270-3', '920270-9', '920271-3', '920280-1', '920430-8'],
      ...['921190-1', '921190-2', '921190-3', '921190-4', '930120-1', '930120-2', '930120-3', '933160-21', '933170-5'],
      '942500-1',
    ],
  'nginx drops headers with an underscore in their names, and so no origin sees them': [
    ...['933110-3', '933110-13', '933110-14', '933110-20', '933110-21', '933110-22'],
  ],
  'libmodsecurity, as we, has the body as a whole where it has read XML from it; ModSecurity 2 has it of forms alone': [
    ...['944100-11', '944100-12', '944100-15', '944100-16', '944110-11', '944110-12', '944110-15', '944110-16'],
    ...['944120-107', '944120-108', '944120-124', '944120-125', '944120-22', '944120-23', '944120-39', '944120-40'],
    ...['944120-5', '944120-56', '944120-57', '944120-6', '944120-73', '944120-74', '944120-90', '944120-91'],
    ...['944210-22', '944210-23', '944210-39', '944210-40', '944210-5', '944210-6'],
  ],
  'Apache reads a doubled backslash of a rule as one; libmodsecurity, as we, as two': [
    ...['920460-1', '920460-2', '920460-3', '920460-4', '941330-1'],
  ],
}
const pinned = new Set(Object.values(differences).flat())

/** In the short form, the first case of each rule that must match and the first that must not, and what is pinned. */
function chosen(cases: Case[]): Case[] {
  if (everything) return cases
  const seen = new Set<string>()
  return cases.filter(({ title, rule, matches }) => {
    const isFirst = !seen.has(`${rule} ${matches}`)
    seen.add(`${rule} ${matches}`)
    return isFirst || pinned.has(title)
  })
}

/** Rules and their scores. Which of several values is named varies, as nginx lists headers in no particular order. */
const verdictOf = (told: string) =>
  told
    .split(' ')
    .map((word) => word.split(':', 2).join(':'))
    .join(' ')

/** CPU time of a thread for a case, in ms, of which most have such a header. */
const leastMs = 0.05

/** The case with a header that is long enough to have a request inspected in a thread. */
const lengthened = (one: Case): Case => ({
  ...one,
  head: one.head.replace('\r\n', `\r\nX-Long: ${'a'.repeat(8_192)}\r\n`),
})

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start((_request, response) => {
    response.setHeader('cache-control', 'no-store').end('origin')
  })
  box = await Box.start({ workers: 2 }, (disk) => {
    disk.feed(
      disk.site({
        ...{ hosts: ['localhost', 'example.com', '127.0.0.1', '1.2.3.4'], origins: [{ port: origin.port }] },
        requires: ['waf'],
        waf: { rules: coreRuleSet().part, module: { paranoia: 4, threshold: 1 } },
      }),
    )
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

test('the rules that its tests name match where they should, and nowhere else, at every paranoia level; with the prefilter they and their mutations are decided alike', async () => {
  const cases = [...chosen(readCases()), ...stretched()]
  const attacks = cases.filter(({ matches, title }) => matches && !pinned.has(title))
  const all = [
    ...cases,
    ...attacks.flatMap((one, n) => (everything ? [0, 1, 2] : [n]).flatMap((kind) => mutated(one, kind))),
  ]
  const matches = await matchesOf(box, all)
  const different = cases.filter((one) => rulesIn(matches.get(one.title)!).includes(one.rule) !== one.matches)
  expect(different.map(({ title }) => title).sort()).toEqual([...pinned].sort())
  await givePrefilter(box)
  const filtered = await matchesOf(box, all)
  const differing = (found: Map<string, string>) =>
    all
      .filter(({ title }) => verdictOf(found.get(title)!) !== verdictOf(matches.get(title)!))
      .map(({ title }) => [title, matches.get(title), found.get(title)])
  expect(differing(filtered)).toEqual([])
  if (everything) await decideInThreads(all, differing)
  expect(box.errors()).not.toContain('prefilter')
})

/** Threads use idle time only, so this is not for a machine that runs other tests at the same time. */
async function decideInThreads(all: Case[], differing: (found: Map<string, string>) => unknown[]): Promise<void> {
  await beInspectedBeside(box, 'localhost')
  const before = takenBeside(box)
  const costly = setInterval(() => void box.request('localhost', '/costly', costlyForm), 500)
  const inThreads = await matchesOf(box, all.map(lengthened)).finally(() => clearInterval(costly))
  expect(differing(inThreads)).toEqual([])
  expect((takenBeside(box) - before) / 1e6).toBeGreaterThan(all.length * leastMs)
}

/** What libmodsecurity decides differently, by reason. */
const differentThere = {
  'it knows the names of parameters in their usual case alone, and so sees no file in `FILENAME=`; they have no case (RFC 2183)':
    ['920120-1 case', '920120-2 case', '920120-3 case'],
  'it decodes REQUEST_URI before the rule does; ModSecurity 2 and its manual do not': [
    ...['920260-1 encoding', '920260-3 encoding'],
  ],
}

test.skipIf(!everything || !hasModSecurity)(
  'libmodsecurity decides the same cases and their mutations alike',
  async () => {
    const cases = readCases()
    const attacks = cases.filter(({ matches }) => matches)
    const mutations = attacks.flatMap((one) => [0, 1, 2].flatMap((kind) => mutated(one, kind)))
    const reference = await ModSecurity.start(origin.port, telling(4))
    try {
      const differences = async (some: Case[]) => {
        const [ours, theirs] = [await matchesOf(box, some), await rulesOfModSecurity(reference, some)]
        return some.filter(({ title, rule }) => {
          const [told, rules] = [ours.get(title)!, theirs.get(title)!]
          // Pinned above: no rule is run on what the edge itself refuses.
          if (told === refused) return false
          const [here, there] = [rulesIn(told).includes(rule), rules.includes(rule)]
          // A body that does not match its type is refused for that reason.
          return here !== there && !(there && told.includes('budget:malformed'))
        })
      }
      const titles = (some: Case[]) => some.map(({ title }) => title).sort()
      expect(titles(await differences([...cases, ...mutations]))).toEqual(Object.values(differentThere).flat().sort())
    } finally {
      await reference.end()
    }
  },
)
