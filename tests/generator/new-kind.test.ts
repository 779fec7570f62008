/**
 * A kind of rule is added to a copy of the tree, in the files that CONTRIBUTING.md names and no others, and is then
 * enforced, explained, back-tested, and shown in the history, the audit log and the console.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyTree, edit } from '../harness/copy-tree.ts'
import { everything } from '../harness/everything.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { until } from '../harness/until.ts'
import { edits } from './toy-rules.ts'

let copy: string
let product: Product
let origin: Origin
let shop: Shop

/** The files listed in *Add a kind of firewall rule*, for this kind. */
function namedFiles(): string[] {
  const text = readFileSync(resolve(import.meta.dirname, '../../CONTRIBUTING.md'), 'utf8')
  const section = text.split('\n## ').find((part) => part.startsWith('Add a kind of firewall rule')) ?? ''
  const rows = section.split('\n').filter((line) => /^\| \w+ \| `/.test(line))
  return rows.map((line) =>
    /`([^`]+)`/.exec(line)![1]!.replaceAll('<kind>', 'toy-rules').replaceAll('<Kind>', 'ToyRules'),
  )
}

test('the guide names each file that such a kind needs, and no more than eight', () => {
  const files = new Set(edits.map(({ file }) => file))
  expect([...files].sort()).toEqual(namedFiles().sort())
  expect(files.size).toBeLessThanOrEqual(8)
})

beforeAll(async () => {
  copy = copyTree()
  edit(copy, edits)
  origin = await startOrigin()
  // The console is checked by its sources; building it takes longer than all the rest.
  if (!everything) {
    rmSync(join(copy, 'console/vite.config.ts'))
    symlinkSync(resolve(import.meta.dirname, '../../console/dist'), join(copy, 'console/dist'))
  }
  product = await startProduct({}, copy)
  shop = await openShop(product, origin.port)
}, 600_000)
afterAll(async () => {
  await product?.stop()
  await origin?.stop()
  rmSync(copy, { recursive: true, force: true })
})

test('a rule of it is enforced, explained by the reference of its refusal, and counted in the log', async () => {
  const rules = `${shop.of}/firewall/l7/toyRules`
  await shop.visit('/a/secret/page')
  const { id } = await shop.change('POST', rules, { urlRegex: '^/', word: 'secret' })
  await shop.live()
  const refused = await shop.visit('/a/secret/page', { accept: 'text/html' })
  expect([refused.status, (await shop.visit('/a/public/page')).status]).toEqual([403, 200])
  const reference = /[A-Za-z0-9_-]{55}/.exec(refused.body)?.[0]
  const explained = await until('the explanation', async () => {
    const { status, body } = await shop.api.call('POST', '/user/logs/explain', { reference })
    return status === 200 && body.data.row && body.data
  })
  expect(explained).toMatchObject({ guard: 'toyRules', rule: id, explanation: { verdict: 'block' } })
  expect(explained.explanation.steps.map((step: { guard: string }) => step.guard)).toContain('toyRules')
})

test('another one is tried on past requests', async () => {
  const rule = { urlRegex: '^/', word: 'public' }
  // The request's row is on its way: the refusal explained before may have come with an earlier batch.
  const tried = await until('the request in the log', async () => {
    const answer = await shop.change('POST', `${shop.of}/firewall/backtest`, { kind: 'toyRules', rule })
    return answer.matched > 0 && answer
  })
  expect(tried).toMatchObject({ matched: 1, would: { block: 1, challenge: 0 } })
})

test('it appears in the history and in the audit log', async () => {
  const { revision } = await shop.change('GET', shop.of)
  const changes = await shop.change('GET', `${shop.of}/history/diff?from=${revision - 1}&to=${revision}`)
  expect(JSON.stringify(changes)).toContain('toyRules/')
  const { body } = await shop.api.call('POST', '/user/auditLogs', { pageSize: 50 })
  const actions = body.data.map(({ action }: { action: string }) => action)
  expect(actions).toContain('site.firewall.l7.toyRule.create')
})

test('the console lists it, and shows its rules as sentences', () => {
  const say = `
    const { area } = await import('./console/src/firewall/area.ts')
    const { ruleKinds } = await import('./console/src/firewall/rule-kinds.ts')
    const { ruleWordsOf } = await import('./console/src/pickers/rules/kind-words.ts')
    const { phrases } = await import('./console/src/audit/words/en_US.ts')
    const words = { ...ruleWordsOf('audit/en_US', [area], phrases), ...ruleWordsOf('logs/en_US', [area], {}) }
    console.log(JSON.stringify([
      area.siteTabs.some(({ tab }) => tab === 'toyRules'), ruleKinds.toyRules.name.en_US,
      words['act.site.firewall.l7.toyRule.create'], words['guard.toyRules'],
    ]))`
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', say], { cwd: copy, encoding: 'utf8' })
  expect(JSON.parse(said)).toEqual([true, 'Toy rule', 'Toy rules: rule added', 'Toy rules'])
})

test.runIf(everything)(
  'its types are valid in every workspace',
  () => {
    execFileSync('npm', ['run', '--silent', 'types'], { cwd: copy, stdio: 'inherit' })
  },
  600_000,
)
