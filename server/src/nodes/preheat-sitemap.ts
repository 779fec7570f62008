/**
 * Preheats the URLs of a sitemap. The sitemap is fetched from the site's own origins, through the guard: no challenge
 * or rule of the site gets in the way, it also works for a domain that has not moved here yet, and nothing but origins
 * can be reached.
 */
import { preheatSitemap, preheatUrlsMax } from '@breakwater/contract/delivery/preheat.ts'
import { asSystem, type Database } from '../db/database.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import { AnswerTooLarge, guardedFetch } from '../outbound/fetch.ts'
import type { OutboundGuard } from '../outbound/guard.ts'
import type { Services } from '../process/services.ts'
import { requireSite } from '../publish/change-site.ts'
import { previewHost } from '../publish/host-names.ts'
import { countPreheats, groupsThatServe, order } from './preheat.ts'
import { preheatTarget, wildcardsOver } from './preheat-values.ts'
import { isHostOf } from './purge-values.ts'
import { readSitemap, SitemapProblem, type SitemapSource, sitemapBytesMax } from './read-sitemap.ts'

/** For a sitemap together with all the files it refers to. */
const readMs = 30_000
/** Sitemaps that a process reads at once: one per tenant. */
const readingMax = 4
const originsMax = 3

type Origin = { ip: string; port: number; tls: boolean }
type Known = {
  site: number
  tenant: number
  names: ReadonlySet<string>
  origins: ReadonlyMap<string, readonly Origin[]>
  /** The Host header and the SNI, if they differ from the URL's; else empty. */
  host: string
  serverName: string
}

export function preheatSitemapFeature({ guard, logger }: Pick<Services, 'guard' | 'logger'>): Feature {
  const reading = new Set<number>()
  return implementOpen(preheatSitemap, {
    async create({ transact, siteId, body, audit }) {
      const known = await transact((db) => knownOf(db, siteId))
      const { site, tenant } = known
      audit.siteId = site
      const target = preheatTarget(body.url)
      if (!target) throw fieldFault('url', 'wrongFormat')
      if (!isHostOf(target.host, known.names)) throw fieldFault('url', 'notADomainOfThisSite')
      if (reading.has(tenant) || reading.size >= readingMax)
        throw new Fault('unknownError', undefined, { status: 429, message: 'too many preheats' })
      reading.add(tenant)
      try {
        const found = await readSitemap(sourceOf(guard, known), target.url, preheatUrlsMax).catch((error: unknown) => {
          if (!(error instanceof SitemapProblem)) throw error
          logger.info({ siteId: site, reason: error.reason, cause: String(error.cause ?? '') }, 'no sitemap to preheat')
          throw fieldFault('url', error.reason)
        })
        audit.detail = { sitemap: target.url, count: found.urls.length, values: found.urls.slice(0, 20) }
        const taskID = await transact((db) =>
          asSystem(db, async (tx) => {
            await countPreheats(tx, tenant)
            const groups = await groupsThatServe(tx, [site])
            if (groups.length === 0) throw new Fault('siteStatusNotAllowed')
            return order(
              tx,
              groups.flatMap(({ groupId }) => found.urls.map((url) => ({ groupId, site, url }))),
            )
          }),
        )
        logger.info({ siteId: site, taskID, count: found.urls.length }, 'preheat of a sitemap ordered')
        return { taskID, urls: found.urls.length, skipped: found.skipped, isWhole: found.isWhole }
      } finally {
        reading.delete(tenant)
      }
    },
  })
}

async function knownOf(db: Database, siteId: number): Promise<Known> {
  const site = await requireSite(db, siteId)
  const domains = await db.selectFrom('domains').select('name').where('siteId', '=', site.id).execute()
  const rows = await db
    .selectFrom('domains')
    .innerJoin('upstreams', 'upstreams.domainId', 'domains.id')
    .where('domains.siteId', '=', site.id)
    .where('upstreams.enabled', '=', true)
    .select(['domains.name', 'upstreams.ip', 'upstreams.port', 'upstreams.tls'])
    .orderBy('upstreams.backup')
    .orderBy('upstreams.id')
    .execute()
  const { settings } = await db
    .selectFrom('sites')
    .select('settings')
    .where('id', '=', site.id)
    .executeTakeFirstOrThrow()
  const { host = '', serverName = '' } = (settings.originTls ?? {}) as { host?: string; serverName?: string }
  return {
    ...{ site: site.id, tenant: site.tenantId, host, serverName },
    names: new Set([previewHost(site.label), ...domains.map(({ name }) => name)]),
    origins: Map.groupBy(rows, ({ name }) => name),
  }
}

function sourceOf(guard: OutboundGuard, { names, origins, host, serverName }: Known): SitemapSource {
  const end = AbortSignal.timeout(readMs)
  return {
    isOwn: (name) => isHostOf(name, names),
    async ask(text) {
      const url = new URL(text)
      // The most specific name decides, as on the edge. For a preview host, any of the site's origins will do.
      const nearest = [url.hostname, ...wildcardsOver(url.hostname)].find((one) => origins.has(one))
      const ways = origins.get(nearest ?? '') ?? [...origins.values()][0] ?? []
      let problem: unknown = new Error(`${url.hostname} has no origin`)
      for (const way of ways.slice(0, originsMax)) {
        try {
          return await guardedFetch(guard, text, {
            headers: {
              'user-agent': 'Breakwater-Preheat',
              'x-forwarded-proto': url.protocol.slice(0, -1),
            },
            origin: { ...way, host: host || url.host, serverName: serverName || host || url.hostname },
            bodyBytesMax: sitemapBytesMax,
            signal: end,
          })
        } catch (error) {
          if (error instanceof AnswerTooLarge) throw error
          problem = error
        }
      }
      throw problem
    },
  }
}
