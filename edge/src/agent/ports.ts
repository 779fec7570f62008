/** Whether the ports that a configuration adds are free on this machine: `nginx -t` does not say. */
import { createServer } from 'node:net'
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import { extraPorts } from '../nginx/ports.ts'

/** Which port another program has, as a sentence, or nothing. */
export async function takenPort(settings: NodeSettings, before: NodeSettings): Promise<string | undefined> {
  const known = new Set(extraPorts(before).map(({ port }) => port))
  for (const { port } of extraPorts(settings))
    if (!known.has(port) && (await isTaken(port))) return `port ${port} is taken by another program on this machine`
  return undefined
}

/** What else stands against it (a port below 1024 that only nginx may open) shows when nginx opens it. */
function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'))
    server.listen({ port, host: '0.0.0.0', exclusive: true }, () => server.close(() => resolve(false)))
  })
}
