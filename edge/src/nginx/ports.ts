/** The zone's ports on which a node listens in addition to its own. */
import type { ListeningPort } from '@breakwater/contract/edge/node-configuration.ts'
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'

/** Throws if a port is one of the node's own with another protocol. A matching own port is not listed twice. */
export function extraPorts({ lab, ports = [], httpPort, httpsPort }: NodeSettings): ListeningPort[] {
  if (lab) return []
  return ports.filter(({ port, tls }) => {
    if (port !== httpPort && port !== httpsPort) return true
    if (tls !== (port === httpsPort)) throw new RangeError(`port ${port} is this node’s own, and does not speak that`)
    return false
  })
}
