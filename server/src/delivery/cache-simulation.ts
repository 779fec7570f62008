/** What would happen to a URL: the site as it is, or with a rule that nobody has saved, asked in the lab edge. */
import { type CacheQuestion, cacheSimulation } from '@breakwater/contract/delivery/cache-simulation.ts'
import { CacheExplanation } from '@breakwater/contract/edge/cache-simulation.ts'
import type { SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import { withRule } from '../firewall/tried-document.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import { askAbout } from '../logs/lab.ts'
import { isHostOf } from '../nodes/purge-values.ts'
import type { Services } from '../process/services.ts'
import { requireSite } from '../publish/change-site.ts'
import { gatherDocument } from '../publish/gather.ts'
import { previewHost } from '../publish/host-names.ts'
import { renderArtefact } from '../publish/render.ts'

export function cacheSimulationFeature({ env, publisher, logger }: Services): Feature {
  return implementOpen(cacheSimulation, {
    async simulate({ transact, siteId, body }) {
      const now = new Date()
      const { rendered, tried, preview } = await transact(async (db) => {
        const { revision, label } = await requireSite(db, siteId)
        const saved = await gatherDocument(db, publisher.parts, siteId)
        const { rule, id } = body
        const with_ = rule && withRule(saved, { kind: 'cacheRules', rule }, id, now)
        return {
          rendered: renderArtefact(publisher, with_?.document ?? saved, revision),
          tried: with_?.id,
          preview: previewHost(label),
        }
      })
      const request = requestOf(siteId, body, ownFirst(rendered.hosts, preview), now)
      const headers = Object.fromEntries(body.answer.headers.map(({ key, value }) => [key.toLowerCase(), value]))
      const answer = { status: body.answer.status, headers }
      const told = await askAbout(env.dataFolder, rendered, '/cache', { request, answer }, Told, logger)
      if (!told) throw new Fault('nodeCommunicationError')
      const isUnsaved = tried !== undefined && told.rule === tried
      return { ...told, host: request.host, path: request.path, isUnsaved }
    },
  })
}

/** A path stands for a domain of the customer's own, where there is one. */
const ownFirst = (hosts: string[], preview: string) => [...hosts.filter((name) => name !== preview), preview]

/** Lua leaves out what is nothing. */
const Told = CacheExplanation.extend({
  around: CacheExplanation.shape.around.default(null),
  why: CacheExplanation.shape.why.default(null),
  browserControl: CacheExplanation.shape.browserControl.default(null),
})

/** The request that a question is about. Throws where its URL is none, or of no host of the site. */
function requestOf(
  site: number,
  { method, url, headers }: CacheQuestion,
  hosts: string[],
  now: Date,
): SimulatedRequest {
  const text = url.startsWith('/') ? `https://${(hosts[0] ?? '').replace('*', 'www')}${url}` : url
  const found = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  if (!found) throw fieldFault('url', 'wrongFormat')
  const host = found.hostname
  if (!isHostOf(host, new Set(hosts))) throw fieldFault('url', 'notADomainOfThisSite')
  return {
    site,
    host,
    scheme: found.protocol === 'http:' ? 'http' : 'https',
    address: '0.0.0.0',
    method,
    ...targetOf(text),
    headers: { host, ...Object.fromEntries(headers.map(({ key, value }) => [key.toLowerCase(), value])) },
    time: Math.floor(now.getTime() / 1000),
    country: '',
  }
}

/** Path and query as they were written: what another spelling makes of them is the edge's to say. */
function targetOf(text: string): { path: string; query: string } {
  const rest = text.replace(/^https?:\/\//i, '').replace(/#.*$/, '')
  const at = rest.search(/[/?]/)
  const target = at < 0 ? '/' : rest.slice(at)
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : target.slice(mark + 1) }
}
