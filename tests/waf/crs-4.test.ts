/**
 * The regression tests of the Core Rule Set 4 against our engine: the same results, except for what is pinned here with
 * its reason.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { givePrefilter } from '../../edge/box/prefilter.ts'
import { compileFolder } from '../../server/src/waf/compile-folder.ts'
import { readArchive } from '../../server/src/waf/read-archive.ts'
import { readUploaded } from '../../server/src/waf/uploaded.ts'
import { everything } from '../harness/everything.ts'
import { hasModSecurity, ModSecurity, telling } from '../harness/modsecurity.ts'
import {
  answersHost,
  archive,
  type Case,
  filesWithLimits,
  hostsOf,
  isAsExpected,
  isOfAnswers,
  limits,
  readCases,
  reflect,
} from './crs-4-cases.ts'
import { matchesOf, refused, rulesIn, rulesOfModSecurity } from './crs-cases.ts'

/** Cases that are decided differently than their authors expect, by reason. */
const differences = {
  'nginx and the edge refuse it before any rule is asked: a malformed request line, a host that is none, a NUL or control character':
    [
      ...['920100-14', '920270-1', '920270-2', '920270-3', '920270-8', '920271-3', '920280-1', '920290-4', '920350-4'],
      ...['920350-5', '920350-6', '920430-8', '921190-1', '921190-2', '921190-3', '921190-4', '930100-3', '930120-1'],
      ...['930120-2', '930120-3', '933170-5'],
    ],
  'nginx reads a target without a path as `/`': ['920100-16'],
  'nginx drops headers whose names are not of letters, digits and hyphens, and so no origin sees them': [
    ...['933110-3', '933110-13', '933110-14', '933110-20', '933110-21', '933110-22', '933110-24', '933110-25'],
    ...['933110-26', '933110-27', '933220-2', '933220-4', '944140-3', '944140-8'],
  ],
  'Apache makes one of two headers of a type; nginx, as this rule wants it, does not': ['920620-1'],
  'a body of which two types are said counts as not looked at whole': ['931100-3'],
  'libmodsecurity, as we, has the body as a whole where it has read XML from it; ModSecurity 2 has it of forms alone': [
    ...['944100-11', '944100-12', '944100-15', '944100-16', '944110-11', '944110-12', '944110-15', '944110-16'],
    ...['944120-6', '944120-7', '944120-23', '944120-24', '944120-40', '944120-41', '944120-57', '944120-58'],
    ...['944120-74', '944120-75', '944120-91', '944120-92', '944120-108', '944120-109', '944120-125', '944120-126'],
    ...['944210-6', '944210-7', '944210-23', '944210-24', '944210-40', '944210-41'],
  ],
  'JSON is looked at by its values and their names, where lists have numbers, and not as a whole': ['934210-13'],
  'a row tells of 20 matches at most': ['944260-2'],
  'the node adds up by itself, and these rules are not asked': [
    ...['949110-1', '949110-4', '949110-5', '959100-1', '959100-3', '980170-1', '980170-2'],
  ],
}
const pinned = new Set(Object.values(differences).flat())

/**
 * Cases in which PCRE hits its match limit, which counts as a match. The prefilter has no such limit and finds nothing,
 * so the expression is not run.
 */
const givingUp = new Set(['920390-1', '942521-17', '942521-18', '942521-19'])

/** They are made to take long, and time out on a slow machine that runs all rules; the long form skips them. */
const inTime = (some: Case[]): Case[] => (everything ? some.filter(({ title }) => !givingUp.has(title)) : some)

/** Each was once decided differently because of a bug that no other case of the short form shows. */
const onceWrong = new Set(['920540-5', '921120-5', '922100-2', '932220-12', '999999-2', '999999-10'])

/**
 * In the short form, the first case of each rule that must match and the first that must not, and those named above.
 */
function chosen(cases: Case[]): Case[] {
  if (everything) return cases
  const seen = new Set<string>()
  return cases.filter(({ title, rule, must }) => {
    const kind = `${rule} ${must.length > 0}`
    const isFirst = !seen.has(kind)
    seen.add(kind)
    return isFirst || pinned.has(title) || onceWrong.has(title)
  })
}

let box: Box
let origin: StubOrigin
const cases = inTime(readCases())
const levels = { paranoia: 4, threshold: 1 }

beforeAll(async () => {
  origin = await StubOrigin.start(reflect)
  const { part: rules, responses } = compileFolder(await filesWithLimits(), 'OWASP CRS')
  box = await Box.start({ workers: 2 }, (disk) => {
    const origins = [{ port: origin.port }]
    disk.feed(disk.site({ hosts: hostsOf(cases), origins, requires: ['waf'], waf: { rules, module: levels } }))
    disk.feed(
      disk.site({
        ...{ site: 2, hosts: [answersHost], origins, requires: ['waf', 'wafResponses'] },
        waf: {
          ...{ rules: { kind: 'wafRules', name: 'none', rules: [] }, module: levels },
          responses: { mode: 'observe', rules: responses! },
        },
      }),
    )
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

test('it compiles completely as it is uploaded', async () => {
  const read = await readUploaded(1, new File([new Uint8Array(archive)], 'crs-4.tar.gz'))
  if (!('compiled' in read)) throw new Error(JSON.stringify(read.problems))
  const { part, responses } = read.compiled
  expect([part.name, part.rules.length, responses?.rules.length]).toEqual(['OWASP CRS 4.29.0-dev', 285, 67])
})

test('the rules that its tests name match where they should, and nowhere else, in requests and in responses', async () => {
  const asked = chosen(cases)
  const matches = await matchesOf(box, asked)
  const different = asked.filter((one) => !isAsExpected(one, matches.get(one.title)!))
  expect(different.map(({ title }) => title).sort()).toEqual([...pinned].sort())
})

/** Rules that libmodsecurity 3.0.9 decides differently wherever they are run, by reason; they are skipped. */
const rulesApart = {
  'it has bodies of JSON and multipart as a whole, too': [920272, 920273],
  'it notes the first condition of a chain that does not hold': [942131],
  'it leaves the line break in headers of parts': [922110],
}
/** Cases that it decides differently, by reason. */
const differentThere = {
  'it has the body of JSON as a whole, too': ['934210-13'],
  'it looks at a body of which two types are said': ['931100-3'],
  'it looks at no value of XML that it cannot read to its end, nor of a part that has no name': [
    ...['920240-4', '922130-5', '932180-3'],
  ],
  'it does not find `.env` in `/.a0proj/secrets.env`, which is a word of the rule': ['930140-13'],
}
const apart = new Set(Object.values(rulesApart).flat())

/** For responses, only the rules about them are compared. */
const isCompared = (one: Case, rule: number): boolean =>
  !apart.has(rule) && (isOfAnswers(one) ? rule >= 950_000 && rule < 959_000 : rule >= 911_000 && rule < 949_000)

/** As many as a row can contain: there may be more. */
const toldMax = 20

test.skipIf(!everything || !hasModSecurity)('libmodsecurity finds the same rules in each', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bw-crs-4-'))
  for (const [path, text] of await readArchive(archive)) writeFileSync(join(folder, path.replace('rules/', '')), text)
  const set = { blocking_paranoia_level: 4, crs_setup_version: 4290, ...limits }
  const sets = Object.entries(set).map(([name, value]) => `setvar:tx.${name}=${value}`)
  const base = telling(4)
  const settings = `${base.settings}\nSecAction "id:900001,phase:1,nolog,pass,t:none,${sets.join(',')}"`
  const reference = await ModSecurity.start(origin.port, { ...base, settings, isOfAnswers: true, ruleSet: folder })
  try {
    const [ours, theirs] = [await matchesOf(box, cases), await rulesOfModSecurity(reference, cases)]
    const compared = cases.filter(({ title }) => {
      const told = ours.get(title)!
      return told !== refused && rulesIn(told).length < toldMax
    })
    expect(compared.length).toBeGreaterThan(4900)
    const different = compared.filter((one) => {
      const of = (rules: number[]) => [...new Set(rules.filter((rule) => isCompared(one, rule)))].sort().join(' ')
      return of(rulesIn(ours.get(one.title)!)) !== of(theirs.get(one.title)!)
    })
    expect(different.map(({ title }) => title).sort()).toEqual(Object.values(differentThere).flat().sort())
  } finally {
    await reference.end()
    rmSync(folder, { recursive: true, force: true })
  }
})

test.skipIf(!everything)('with the prefilter each is decided alike', async () => {
  const matches = await matchesOf(box, cases)
  await givePrefilter(box)
  const filtered = await matchesOf(box, cases)
  const verdictOf = (told: string) => rulesIn(told).join(' ')
  const otherwise = cases.filter(({ title }) => verdictOf(filtered.get(title)!) !== verdictOf(matches.get(title)!))
  expect(otherwise.map(({ title }) => [title, matches.get(title), filtered.get(title)])).toEqual([])
  expect(box.errors()).not.toContain('prefilter')
})
