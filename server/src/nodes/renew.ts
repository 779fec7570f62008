/** Issues a node's next certificate, long before its current one expires. */
import type { RenewReply, RenewRequest } from '@breakwater/contract/edge/node-api.ts'
import type { Database } from '../db/database.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import type { NodeApiParts } from './node-api-parts.ts'
import type { NodeIdentity } from './node-identity.ts'

/**
 * Issues the certificate. An earlier one that was never used is discarded. Only the key that the node enrolled with
 * gets one.
 */
export async function renew(
  { authority }: Pick<NodeApiParts, 'authority'>,
  db: Database,
  node: NodeIdentity,
  request: RenewRequest,
): Promise<RenewReply> {
  const certified = await authority.checkRequest(request.csr)
  if (!certified) throw fieldFault('csr', 'wrongFormat')
  const { keyHash } = await db.selectFrom('nodes').select('keyHash').where('id', '=', node.id).executeTakeFirstOrThrow()
  if (keyHash && !keyHash.equals(certified.keyHash)) throw new Fault('permissionDenied')
  await db.updateTable('nodes').set({ nextSerial: certified.serial }).where('id', '=', node.id).execute()
  return { certificate: await certified.issue(node.id), authority: authority.certificate }
}
