/** Checks that the ports a configuration adds are free on this machine: `nginx -t` does not. */
import { createServer } from 'node:net'
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import { extraPorts } from '../nginx/ports.ts'

/** Names a port that another program uses, as a sentence, or undefined. */
export async function takenPort(settings: NodeSettings, before: NodeSettings): Promise<string | undefined> {
  const known = new Set(extraPorts(before).map(({ port }) => port))
  for (const { port } of extraPorts(settings))
    if (!known.has(port) && (await isTaken(port))) return `port ${port} is taken by another program on this machine`
  return undefined
}

/** Other obstacles (a port below 1024 that only nginx may open) show when nginx opens the port. */
function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'))
    server.listen({ port, host: '0.0.0.0', exclusive: true }, () => server.close(() => resolve(false)))
  })
}
