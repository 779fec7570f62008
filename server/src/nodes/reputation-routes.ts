/** Routes by which nodes fetch the reputation of addresses (contract/src/edge/reputation.ts). */
import { type ReputationReply, reputationSignatureText } from '@breakwater/contract/edge/reputation.ts'
import { Hash } from '@breakwater/contract/hash.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { parse } from '../http/parse.ts'
import { reputationFile } from '../reputation/reputation.ts'
import type { NodeApiParts } from './node-api-parts.ts'
import { withNode } from './node-identity.ts'

const Query = z.object({ have: Hash.or(z.literal('')).default('') })

export function reputationRoutes(app: FastifyInstance, parts: NodeApiParts): void {
  const { signer } = parts.authority
  app.get('/reputation', (request) => {
    const { have } = parse(Query, request.query, 'query')
    return withNode(parts, request, async (db, node): Promise<ReputationReply> => {
      const zone = await db
        .selectFrom('zones')
        .select('operatorId')
        .where('id', '=', node.zoneId)
        .executeTakeFirstOrThrow()
      const { hash, bytes } = await reputationFile(db, zone.operatorId)
      const signature = signer.sign(reputationSignatureText(node.id, hash))
      return { hash, signature, ...(have !== hash && { file: bytes.toString('base64') }) }
    })
  })
}
