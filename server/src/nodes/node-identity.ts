/**
 * Identifies the node of a request: the subject of its certificate, looked up at every request so that a revocation
 * takes effect at once.
 */
import type { TLSSocket } from 'node:tls'
import type { FastifyRequest } from 'fastify'
import { type Database, withSystem } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import type { NodeApiParts } from './node-api-parts.ts'

export type NodeIdentity = {
  id: number
  name: string
  zoneId: number
  /** Null until an operator puts the node into use. */
  groupId: number | null
  sealKey: Buffer
}

/** The certificate that this authority issued to the peer, or undefined. */
export function provenCertificate(request: FastifyRequest): { nodeId: number; serial: string } | undefined {
  const socket = request.raw.socket as TLSSocket
  if (!socket.authorized) return undefined
  const { subject, serialNumber } = socket.getPeerCertificate()
  const nodeId = Number(subject?.CN)
  return serialNumber && Number.isInteger(nodeId) ? { nodeId, serial: serialNumber.toLowerCase() } : undefined
}

async function identify(db: Database, request: FastifyRequest): Promise<NodeIdentity | undefined> {
  const proven = provenCertificate(request)
  if (!proven) return undefined
  const row = await db
    .selectFrom('nodes')
    .select(['id', 'name', 'zoneId', 'groupId', 'sealKey', 'certificateSerial', 'nextSerial'])
    .where('id', '=', proven.nodeId)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { certificateSerial, nextSerial, ...node } = row
  if (proven.serial === certificateSerial) return node
  if (proven.serial !== nextSerial) return undefined
  // The renewed certificate is in use, so the previous one is no longer valid.
  const renewed = { certificateSerial: nextSerial, nextSerial: null }
  await db.updateTable('nodes').set(renewed).where('id', '=', node.id).where('nextSerial', '=', nextSerial).execute()
  return node
}

/**
 * Runs a transaction as the system for the node of a request, once a slot is free. Throws for unknown and revoked
 * nodes.
 */
export function withNode<T>(
  parts: NodeApiParts,
  request: FastifyRequest,
  run: (db: Database, node: NodeIdentity) => Promise<T>,
): Promise<T> {
  return parts.limited(() =>
    withSystem(parts.services.database.db, async (db) => {
      const node = await identify(db, request)
      if (!node) throw refused(parts, request)
      parts.connections.addSocket(node.id, request.raw.socket)
      return run(db, node)
    }),
  )
}

/** The error for a client that is not a valid node; logs who it was. */
export function refused(parts: NodeApiParts, request: FastifyRequest): Fault {
  parts.metrics.refusedCertificates += 1
  const proven = provenCertificate(request)
  parts.logger.warn({ security: 'certificate', address: request.ip, claimed: proven?.nodeId }, 'security event')
  return new Fault('credentialRefused')
}
