/** Which ports of a node a domain's map of ports may name. */
import { Fault } from '../http/fault.ts'

/** Where visitors reach a node over plain HTTP and TLS. */
const listenPorts = ['80', '443']

/** Refuses a map that names a port on which no node listens for a domain (401003). */
export function requireOpenPorts(portMap: Record<string, number>): void {
  const closed = Object.keys(portMap).find((port) => !listenPorts.includes(port))
  if (closed !== undefined) throw new Fault('illegalPortMapping', `port ${Number(closed)} is not open`)
}
