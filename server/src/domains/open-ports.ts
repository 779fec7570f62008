/** Which node ports a domain's port map may name. */
import { Fault } from '../http/fault.ts'

/** The ports on which nodes serve visitors over plain HTTP and TLS. */
const listenPorts = ['80', '443']

/** Throws 401003 if the map names a port on which no node listens for a domain. */
export function requireOpenPorts(portMap: Record<string, number>): void {
  const closed = Object.keys(portMap).find((port) => !listenPorts.includes(port))
  if (closed !== undefined) throw new Fault('illegalPortMapping', `port ${Number(closed)} is not open`)
}
