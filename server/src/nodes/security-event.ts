/** Records something that an honest node does not do, in the log and in a counter. */
import type { NodeApiParts } from './node-api-parts.ts'
import type { NodeIdentity } from './node-identity.ts'

export function noteSecurity(parts: NodeApiParts, node: NodeIdentity, event: string, detail: object): void {
  parts.metrics.securityEvents += 1
  parts.logger.warn({ security: event, nodeId: node.id, groupId: node.groupId, ...detail }, 'security event')
}
