/**
 * Enrols a machine as a node: it sends its token, clock and certificate request, and gets a certificate and its group.
 */
import { schemaCurrent } from '@breakwater/contract/edge/artefact.ts'
import { EnrolReply, type EnrolRequest } from '@breakwater/contract/edge/node-api.ts'
import { Name } from '@breakwater/contract/fields.ts'
import { nodes } from '@breakwater/contract/nodes/nodes.ts'
import { type Database, withSystem } from '../db/database.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { makeLicenseChecks } from '../licenses/limits.ts'
import { changeNodesAtWork } from '../node-configuration/shadow-node.ts'
import { activateGroup, mainGroupOf } from './activate-group.ts'
import { consumeToken, noteNode, unnamed } from './enrol-token.ts'
import type { NodeApiParts } from './node-api-parts.ts'
import { isSealKey } from './seal.ts'

const clockSkewMaxMs = 30_000

/** Whether a node that supports these schemas can be served. */
export const isSchemaSupported = (schemas: number[]): boolean => schemas.includes(schemaCurrent)

/** Enrols a machine. If it is rejected, the token stays valid. */
export async function enrol(parts: NodeApiParts, request: EnrolRequest, from: string): Promise<EnrolReply> {
  // A dual-stack socket shows an IPv4 client as a mapped address.
  const address = from.replace(/^::ffff:/, '')
  const { services, authority } = parts
  if (Math.abs(Date.now() - request.clock) > clockSkewMaxMs) throw new Fault('invalidNodeTime')
  if (!isSchemaSupported(request.schemas)) throw new Fault('nodeVersionMismatch')
  const sealKey = Buffer.from(request.sealKey, 'base64')
  if (!isSealKey(sealKey)) throw fieldFault('sealKey', 'wrongFormat')
  const certified = await authority.checkRequest(request.csr)
  if (!certified) throw fieldFault('csr', 'wrongFormat')
  const node = await parts.limited(() =>
    withSystem(services.database.db, async (db) => {
      const { zoneId, name, nodeId } = await consumeToken(db, request.token, certified.keyHash)
      const proof = { sealKey, keyHash: certified.keyHash, certificateSerial: certified.serial, ip: address }
      if (nodeId !== undefined) return enrolAgain(db, nodeId, proof)
      const place = { zoneId, ...(await placeIn(db, zoneId)) }
      const called = nodeName(name, request.name)
      const about = { actor: called, action: nodes.initialize.audit ?? '' }
      return changeNodesAtWork(db, [zoneId], about, async () => {
        const row = await insertNode(db, { ...place, name: called }, request, proof)
        await noteNode(db, request.token, row.id)
        if (place.groupId !== null) await makeLicenseChecks(services.env).requireRoom(db, place.operatorId, 'nodes', 0)
        if (place.groupId !== null) await activateGroup(db, services.vault, place.groupId)
        return { ...place, id: row.id }
      })
    }),
  )
  parts.metrics.enrolled += 1
  parts.logger.info({ nodeId: node.id, zoneId: node.zoneId, groupId: node.groupId, address }, 'node enrolled')
  return EnrolReply.parse({
    nodeId: node.id,
    zoneId: node.zoneId,
    // 0 if the zone has no group; an operator then initialises the node.
    groupId: node.groupId ?? 0,
    certificate: await certified.issue(node.id),
    authority: authority.certificate,
    signingKeys: authority.signer.keys(),
    address,
  })
}

async function placeIn(db: Database, zoneId: number): Promise<{ operatorId: number; groupId: number | null }> {
  const { operatorId } = await db
    .selectFrom('zones')
    .select('operatorId')
    .where('id', '=', zoneId)
    .executeTakeFirstOrThrow()
  return { operatorId, groupId: (await mainGroupOf(db, zoneId)) ?? null }
}

/** The name that the operator gave, or else the machine's own name. */
function nodeName(ofToken: string, ofMachine: string): string {
  if (ofToken !== unnamed) return ofToken
  const name = Name.safeParse(ofMachine)
  return name.success ? name.data : unnamed
}

type Proof = { sealKey: Buffer; keyHash: Buffer; certificateSerial: string; ip: string }

/** For a machine that crashed before it had stored the answer: the same node, with a new certificate. */
async function enrolAgain(db: Database, id: number, proof: Proof) {
  const { zoneId, groupId } = await db
    .updateTable('nodes')
    .set({ ...proof, nextSerial: null })
    .where('id', '=', id)
    .returning(['zoneId', 'groupId'])
    .executeTakeFirstOrThrow()
  return { id, zoneId, groupId }
}

function insertNode(
  db: Database,
  place: { operatorId: number; zoneId: number; groupId: number | null; name: string },
  { version, schemas }: EnrolRequest,
  proof: Proof,
): Promise<{ id: number }> {
  return db
    .insertInto('nodes')
    .values({ ...place, ...proof, version, schemas })
    .returning('id')
    .executeTakeFirstOrThrow()
}
