/**
 * What people write, against the rules at paranoia level 1: each sentence of our documents and each text of the
 * consoles, in three languages, as a search, in a form and in JSON. Some false positives are inherent: what the Core
 * Rule Set matches, its reference implementation refuses as well, and nothing else may be refused.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { givePrefilter } from '../../edge/box/prefilter.ts'
import { coreRuleSet } from '../../server/src/waf/core-rule-set.ts'
import { everything } from '../harness/everything.ts'
import { hasModSecurity, ModSecurity, telling } from '../harness/modsecurity.ts'
import { matchesOf, refused, rulesIn, rulesOfModSecurity } from './crs-cases.ts'
import { host, requestsOfPeople } from './people-requests.ts'

const threshold = 5

/**
 * A percent sign in a query: libmodsecurity decodes REQUEST_URI before the rule does, and so sees `% o` in `%25+o`;
 * ModSecurity 2 and its manual do not. It scores 3 of the 5 that cause a refusal.
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

test('few of the texts that people write are refused, and none before the rules are run', async () => {
  const all = await requestsOfPeople()
  const requests = everything ? all : all.filter((_, at) => at % 16 === 0)
  expect(all.length).toBeGreaterThan(5_000)
  const found = await matchesOf(box, requests)
  expect([...found.values()].filter((told) => told === refused || told.includes('budget'))).toEqual([])
  const over = [...found].filter(([, told]) => scoreOf(told) >= threshold)
  console.log(`${over.length} of ${requests.length} texts are refused at paranoia 1`)
  expect(over.length / requests.length).toBeLessThan(0.1)
})

test.skipIf(!everything || !hasModSecurity)('libmodsecurity finds the same rules in each of them', async () => {
  const requests = await requestsOfPeople()
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
