/** The ports of the zone on which a node listens besides its own. */
import type { ListeningPort } from '@breakwater/contract/edge/node-configuration.ts'
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'

/** Throws where a port is this node's own and would speak another protocol. What fits already is listened on once. */
export function extraPorts({ lab, ports = [], httpPort, httpsPort }: NodeSettings): ListeningPort[] {
  if (lab) return []
  return ports.filter(({ port, tls }) => {
    if (port !== httpPort && port !== httpsPort) return true
    if (tls !== (port === httpsPort)) throw new RangeError(`port ${port} is this node’s own, and does not speak that`)
    return false
  })
}
