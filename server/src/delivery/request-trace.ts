/**
 * What would happen to a request, guard by guard and module by module, in the lab edge with the site as it is saved.
 */
import { requestTrace } from '@breakwater/contract/delivery/request-trace.ts'
import type { SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import { networkNamesOf } from '../address-data/network-names.ts'
import { placeOf } from '../address-data/place-of.ts'
import { withSystem } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import { isCall } from '../logs/explain.ts'
import { explainInLab } from '../logs/lab.ts'
import type { Services } from '../process/services.ts'
import { requireSite } from '../publish/change-site.ts'
import { gatherDocument } from '../publish/gather.ts'
import { previewHost } from '../publish/host-names.ts'
import { renderArtefact } from '../publish/render.ts'
import { ruleSetOfSite } from '../waf/site-rule-set.ts'
import { hasAsked, standingOf } from './address-standing.ts'
import { ownFirst, requestOf } from './url-request.ts'

export function requestTraceFeature({ env, database, events, publisher, logger }: Services): Feature {
  return implementOpen(requestTrace, {
    async trace({ transact, caller, siteId, body, address: own }) {
      const now = new Date()
      const { saved, revision, preview } = await transact(async (db) => {
        const { revision, label } = await requireSite(db, siteId)
        return { saved: await gatherDocument(db, publisher.parts, siteId), revision, preview: previewHost(label) }
      })
      const address = body.address ?? own
      const isOwn = body.address === undefined || body.address === own
      const isKnownVisitor = caller.tier !== 'user' || isOwn || (await hasAsked(events, siteId, address, now))
      const { standing, objects } = await withSystem(database.db, async (db) => ({
        standing: await standingOf(db, siteId, address, isKnownVisitor),
        objects: (await ruleSetOfSite(db, siteId)).objects,
      }))
      const rendered = renderArtefact(publisher, saved, revision, new Map(), objects)
      const asked = requestOf(siteId, body, ownFirst(rendered.hosts, preview), now)
      const place = await placeOf(database.db, siteId, address)
      const request: SimulatedRequest = {
        ...asked,
        ...standing,
        ...place,
        address,
        ...(body.body !== undefined && { body: body.body }),
        ...(body.hasPassedChallenge && { hasPassed: true }),
        ...(isCall({ method: asked.method, contentType: asked.headers['content-type'] ?? '' }) && { isCall: true }),
      }
      const explanation = await explainInLab(env.dataFolder, rendered, request, logger)
      if (!explanation) throw new Fault('nodeCommunicationError')
      const { visitor: byRelease, ...told } = explanation
      const visitor = { country: 'ZZ', asn: 0, ...byRelease, ...place }
      const network = (await networkNamesOf(database.db, [siteId]))(visitor.asn)
      const isBanned = standing.isBanned || standing.zone?.guard === 'bansOfZone'
      return {
        ...{ host: request.host, path: request.path, isUnderAttack: standing.isUnderAttack, isKnownVisitor },
        visitor: { address, ...visitor, network, score: standing.score, isBanned },
        explanation: told,
      }
    },
  })
}
