/** The default rule set stays the same when Debian's package is updated; the update can be tried. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withSystem } from '../db/database.ts'
import type { Services } from '../process/services.ts'
import { makeTestServices } from '../testing/server.ts'
import { coreRuleSet, loadCoreRuleSet } from './core-rule-set.ts'
import { installedFiles, type RuleSetFiles } from './installed-rule-set.ts'
import { pinRuleSet } from './pin-rule-set.ts'

let services: Services
let stop: () => Promise<void>
const said: string[] = []
const logger = {
  info: (...words: unknown[]) => said.push(String(words.at(-1))),
  warn: (...words: unknown[]) => said.push(String(words.at(-1))),
}
const installed = installedFiles()!

beforeAll(async () => {
  ;({ services, stop } = await makeTestServices())
})
afterAll(async () => {
  // Other test files run in this process.
  await services.database.pool.query('truncate core_rule_set')
  await loadCoreRuleSet(services.database.db)
  await stop()
})

/** An update of the package with one additional rule. */
function updatedBy(rule: string, version = '3.3.9'): RuleSetFiles {
  const name = 'REQUEST-913-SCANNER-DETECTION.conf'
  const files = new Map(
    [...installed].map(([file, text]) => [file, text.replaceAll('OWASP_CRS/3.3.4', `OWASP_CRS/${version}`)]),
  )
  return files.set(name, `${files.get(name)}\n${rule}\n`)
}
const rule = `SecRule ARGS "@rx new" "id:913999,phase:2,block,t:none,msg:'New',tag:'paranoia-level/1',\\
  setvar:'tx.inbound_anomaly_score_pl1=+%{tx.critical_anomaly_score}'"`

/** Starts the control plane on a machine that has these files. */
async function start(files: RuleSetFiles | undefined, follows = false) {
  const { db } = services.database
  await pinRuleSet(db, { follows, logger: logger as never, files })
  await loadCoreRuleSet(db)
  return coreRuleSet().objects.requests.hash
}
const listed = () =>
  withSystem(services.database.db, (db) =>
    db.selectFrom('wafRuleSets').select(['id', 'operatorId', 'name', 'fileName', 'actor', 'trial']).execute(),
  )
const knows = () => coreRuleSet().texts.some(({ id }) => id === 913_999)

test('an update of the package leaves the default unchanged, and is listed once per operator, untried', async () => {
  const before = await start(installed)
  expect(await listed()).toEqual([])
  expect(await start(updatedBy(rule))).toBe(before)
  expect(knows()).toBe(false)
  const operators = await withSystem(services.database.db, (db) =>
    db.selectFrom('tenants').select('id').where('kind', '=', 'operator').execute(),
  )
  const offered = await listed()
  expect(offered.map(({ operatorId }) => operatorId)).toEqual(operators.map(({ id }) => id))
  expect(offered[0]).toMatchObject({
    name: 'OWASP CRS 3.3.9',
    fileName: 'modsecurity-crs',
    actor: 'system',
    trial: null,
  })
  // If an operator removes it, it is not listed again.
  await withSystem(services.database.db, (db) => db.deleteFrom('wafRuleSets').execute())
  expect(await start(updatedBy(rule))).toBe(before)
  expect(await listed()).toEqual([])
  // Only an operator created since then is offered it.
  const later = await withSystem(services.database.db, (db) =>
    db.insertInto('tenants').values({ kind: 'operator', name: 'later' }).returning('id').executeTakeFirstOrThrow(),
  )
  await start(updatedBy(rule))
  expect((await listed()).map(({ operatorId }) => operatorId)).toEqual([later.id])
  await withSystem(services.database.db, (db) => db.deleteFrom('wafRuleSets').execute())
  await start(updatedBy(rule))
  expect(await listed()).toEqual([])
  // Without the package the default still exists.
  expect(await start(undefined)).toBe(before)
})

test('an update with an unsupported rule is not listed, and the start continues with a warning', async () => {
  const before = await start(installed)
  said.length = 0
  expect(await start(updatedBy('SecRule ARGS "@unheardOf x" "id:913998,phase:2,block"', '3.3.10'))).toBe(before)
  expect(await listed()).toEqual([])
  expect(said.join()).toContain('cannot ask the rules of the update')
})

test('the default follows the package if so configured', async () => {
  const before = await start(installed)
  expect(await start(updatedBy(rule), true)).not.toBe(before)
  expect(knows()).toBe(true)
  // And it stays there when the setting is removed again.
  await start(updatedBy(rule))
  expect(knows()).toBe(true)
})
