/** Graceful shutdown of a server: no new connections, and running requests are answered. */
import type { Server } from 'node:http'
import type { Server as TlsServer } from 'node:https'

/** Connections become idle one by one as their responses end; this is how often they are closed. */
const lookMs = 50

/** Stops listening and resolves when the last connection has ended. Connections still open after `ms` are cut. */
export async function drain(server: Server | TlsServer, ms: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const idle = setInterval(() => server.closeIdleConnections(), lookMs)
  const cut = setTimeout(() => server.closeAllConnections(), ms)
  await closed
  clearInterval(idle)
  clearTimeout(cut)
}
