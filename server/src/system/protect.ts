/** The headers of every page: scripts and calls of this machine only, no framing, no referrer sent to others. */
import type { FastifyReply } from 'fastify'

const contentPolicy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"

export function protect(reply: FastifyReply | { setHeader(name: string, value: string): void }): void {
  const set = (name: string, value: string) =>
    'setHeader' in reply ? reply.setHeader(name, value) : reply.header(name, value)
  set('content-security-policy', contentPolicy)
  set('referrer-policy', 'no-referrer')
  set('x-frame-options', 'DENY')
  set('x-content-type-options', 'nosniff')
}
