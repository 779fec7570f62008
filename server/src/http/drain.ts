/** An orderly end of a server: nothing new comes in, what is under way is answered. */
import type { Server } from 'node:http'
import type { Server as TlsServer } from 'node:https'

/** Connections become idle one by one as their answers end; this is how often they are looked for. */
const lookMs = 50

/** Stops listening and resolves when the last connection has ended; after `ms` those still open are cut. */
export async function drain(server: Server | TlsServer, ms: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const idle = setInterval(() => server.closeIdleConnections(), lookMs)
  const cut = setTimeout(() => server.closeAllConnections(), ms)
  await closed
  clearInterval(idle)
  clearTimeout(cut)
}
