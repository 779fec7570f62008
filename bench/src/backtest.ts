/**
 * How long it takes to try a rule on a day of logged requests, with a real event store and a real lab edge, compared
 * with reading the same rows in the same run.
 * Run: `node bench/src/backtest.ts [rows]`.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Box } from '../../edge/box/harness.ts'
import { startClickHouse } from '../../server/src/engines/clickhouse.ts'
import { migrateEvents } from '../../server/src/events/migrate.ts'
import { openEvents } from '../../server/src/events/store.ts'
import { planReading, readSlice } from '../../server/src/firewall/logged-traffic.ts'
import { withRule } from '../../server/src/firewall/tried-document.ts'
import { tryRule } from '../../server/src/firewall/try-rule.ts'
import { parts as siteParts } from '../../server/src/parts.ts'
import type { SavedRule, SiteDocument } from '../../server/src/publish/document.ts'
import { renderArtefact } from '../../server/src/publish/render.ts'

const rows = Number(process.argv[2] ?? 1_000_000)
const site = 1
await using ends = new AsyncDisposableStack()
const dataFolder = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
ends.defer(() => rmSync(dataFolder, { recursive: true }))
const engine = await startClickHouse({ dataFolder })
ends.defer(() => engine.stop())
const events = openEvents(engine.url)
ends.defer(() => events.close())
await migrateEvents(events)
const box = await Box.start({ lab: true, workers: 1 })
ends.defer(() => box.end())
mkdirSync(join(dataFolder, 'data'))
symlinkSync(box.settings.folder, join(dataFolder, 'data', 'lab'))

// One day of 20,000 visitors; one of them makes half of the requests.
const span = { fromMs: Date.now() - 86_400_000, toMs: Date.now() }
await events.command({
  query: `INSERT INTO requests_raw_v1 (time, node, zone, site, requestId, domain, address, country, method, path, query, status, action, userAgent, requestTime)
SELECT fromUnixTimestamp64Milli(toInt64({fromMs:Int64} + number * (86400000 / {rows:UInt32}))), 1 + number % 3, 1, {site:UInt32},
  lower(hex(MD5(toString(number)))), 'www.example.com',
  toIPv6(number % 2 = 0 ? '198.51.100.7' : concat('203.', toString(number * 7 % 80), '.', toString(number * 13 % 250), '.1')), 'TW', 'GET',
  concat('/assets/', toString(number % 20), '/file-', toString(number % 1000), '.js'), number % 3 = 0 ? concat('v=', toString(number)) : '',
  200, 'pass', concat('Mozilla/5.0 (X11; Linux x86_64) ', toString(number % 50)), 12
FROM numbers({rows:UInt32})`,
  query_params: { ...span, rows, site },
})

const common = { enabled: true, mode: 'enforce' as const, memo: '', expiresAt: null }
const saved = (id: number, body: SavedRule['body']): SavedRule => ({
  ...{ id, sort: 0, ...common, bodyVersion: 1, createdBy: '', createdAt: '' },
  body,
})
const numbered = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))
const document: SiteDocument = {
  site: { id: site, label: 'bench', status: 1, name: 'bench', tags: [], expiredAt: null, isRemoved: false },
  denyRules: {
    rules: [
      saved(1, { urlRegex: '', methodValues: ['GET'], ips: numbered(5000, (i) => `10.${i >> 8}.${i & 255}.0/28`) }),
    ],
  },
  rateRules: {
    rules: numbered(10, (i) => saved(10 + i, { urlRegex: `^/page-${i}/.*\\.php$`, rate: 10, burst: 10, blockType: 1 })),
  },
}
const rule = { ...common, urlRegex: '^/assets/.*\\.js$', rate: 1, burst: 0, priority: 100, blockType: 1 as const }
const tried = withRule(document, { kind: 'rateRules', rule }, undefined, new Date())
const render = (of: typeof document) => renderArtefact({ parts: siteParts, allowOrigins: [] }, of, 1)
const trial = {
  rendered: render(tried.document),
  alone: render(tried.alone),
  guard: tried.guard,
  rule: tried.id,
  scores: () => ({}),
}

const started = performance.now()
const plan = await planReading(events, site, span)
for (const slice of plan.slices) await readSlice(events, site, slice)
const readMs = performance.now() - started

const parts = { events, logger: { warn: console.warn }, dataFolder: join(dataFolder, 'data') }
const begun = performance.now()
const told = await tryRule(parts, { site, span, ...trial, letsPass: false, isOver: () => false })
const triedMs = performance.now() - begun

const perSecond = (ms: number) => Math.round((rows / ms) * 1000).toLocaleString('en-US')
console.log(
  `${rows} rows, ${told.sampled.rows} asked in ${plan.slices.length} slices; ${told.matched} matched, ${told.would.challenge} challenged`,
)
console.log(`read the rows             ${(readMs / 1000).toFixed(2)} s   ${perSecond(readMs)} rows a second`)
console.log(
  `try a rule on them        ${(triedMs / 1000).toFixed(2)} s   ${perSecond(triedMs)} rows a second   ratio ${(triedMs / readMs).toFixed(2)}`,
)
