/** Free ports on loopback, found by asking the system and giving them back. */

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** `count` different free TCP ports. Another process may take one before it is used; whoever starts there says so. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
