/**
 * Serves brand images without a token, for the sign-in page. The URL contains the hash, so they are cached for ever.
 */
import type { FastifyInstance } from 'fastify'
import { withSystem } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import type { Services } from '../process/services.ts'

export function serveBrandImages(app: FastifyInstance, { database }: Services): void {
  app.get('/brand/:hash', async (request, reply) => {
    const { hash } = request.params as { hash: string }
    const image = /^[0-9a-f]{64}$/.test(hash)
      ? await withSystem(database.db, (db) =>
          db.selectFrom('brandImages').select(['type', 'bytes']).where('hash', '=', hash).limit(1).executeTakeFirst(),
        )
      : undefined
    if (!image) throw new Fault('pathInvalid')
    return reply
      .header('content-type', image.type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(image.bytes)
  })
}
