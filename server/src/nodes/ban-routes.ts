/** Routes by which nodes report and fetch bans (contract/src/edge/bans.ts). */
import { type BanReceipt, banSitesMax } from '@breakwater/contract/edge/bans.ts'
import { listOf } from '@breakwater/contract/paging.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { readBans } from '../bans/read-bans.ts'
import { readReports } from '../bans/read-reports.ts'
import { storeBans } from '../bans/store-bans.ts'
import { parse } from '../http/parse.ts'
import type { NodeApiParts } from './node-api-parts.ts'
import { withNode } from './node-identity.ts'
import { noteSecurity } from './security-event.ts'

const wholeNumber = z.coerce.number().int().min(0)
const BansQuery = z.object({
  after: wholeNumber.max(Number.MAX_SAFE_INTEGER),
  sites: listOf(wholeNumber.max(2 ** 31 - 1))
    .pipe(z.array(z.number()).max(banSitesMax))
    .default([]),
  zone: z
    .literal('1')
    .optional()
    .transform((one) => one === '1'),
})

/** Enough for a few hundred reports. */
const reportBytesMax = 524_288

export function banRoutes(app: FastifyInstance, parts: NodeApiParts): void {
  const { authority, metrics } = parts
  app.get('/bans', (request) => {
    const question = parse(BansQuery, request.query, 'query')
    return withNode(parts, request, (db, node) => readBans(db, node, question, (text) => authority.signer.sign(text)))
  })

  app.post('/bans', { bodyLimit: reportBytesMax }, (request) => {
    const { bans, unreadable, refused: wrong } = readReports(request.body)
    return withNode(parts, request, async (db, node) => {
      const { refused, foreign, kept } = await storeBans(db, node, bans)
      if (unreadable > 0) noteSecurity(parts, node, 'unreadable bans', { reports: unreadable })
      if (foreign.length > 0) noteSecurity(parts, node, 'foreign bans', { sites: foreign.slice(0, 10) })
      metrics.bansKept += kept
      metrics.bansRefused += refused.length + unreadable
      return { refused: [...refused, ...wrong] } satisfies z.output<typeof BanReceipt>
    })
  })
}
