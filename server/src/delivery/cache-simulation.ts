/** What would happen to a URL, with the site as it is or with an unsaved rule: simulated in the lab edge. */
import { cacheSimulation } from '@breakwater/contract/delivery/cache-simulation.ts'
import { CacheExplanation } from '@breakwater/contract/edge/cache-simulation.ts'
import { withRule } from '../firewall/tried-document.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import { askAbout } from '../logs/lab.ts'
import type { Services } from '../process/services.ts'
import { requireSite } from '../publish/change-site.ts'
import { gatherDocument } from '../publish/gather.ts'
import { previewHost } from '../publish/host-names.ts'
import { renderArtefact } from '../publish/render.ts'
import { ownFirst, requestOf } from './url-request.ts'

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

/** Lua omits nil values. */
const Told = CacheExplanation.extend({
  around: CacheExplanation.shape.around.default(null),
  why: CacheExplanation.shape.why.default(null),
  browserControl: CacheExplanation.shape.browserControl.default(null),
})
