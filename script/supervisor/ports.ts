import { createServer } from 'node:net'
import type { PortName, Settings } from './settings.ts'

const TLS_PORTS = ['CONSOLE_HTTP_PORT', 'CONSOLE_HTTPS_PORT'] as const
type TlsPortName = (typeof TLS_PORTS)[number]

/** The console does not serve TLS itself. */
export const NO_TLS: Record<TlsPortName, number> = { CONSOLE_HTTP_PORT: 0, CONSOLE_HTTPS_PORT: 0 }

/** In order of preference; after the last one, the next free port is used. */
const DEFAULTS: Record<Exclude<PortName, TlsPortName>, number[]> = {
  PORT: [8080],
  NODE_PORT: [8442],
  EDGE_HTTP_PORT: [80, 8081],
  EDGE_HTTPS_PORT: [443, 8443],
}

const PURPOSE: Record<PortName, string> = {
  PORT: 'the console and API',
  NODE_PORT: 'the nodes',
  CONSOLE_HTTP_PORT: 'the console’s plain HTTP',
  CONSOLE_HTTPS_PORT: 'the console’s TLS',
  EDGE_HTTP_PORT: 'the edge',
  EDGE_HTTPS_PORT: 'the edge’s TLS',
}

/**
 * A port for each purpose. A requested port is used or refused, never silently replaced. `ownTlsPort`: where the
 * console serves TLS itself; it has precedence over the edge, and gets port 0 if its own ports are not available.
 */
export async function choosePorts(asked: Settings['asked'], ownTlsPort?: number): Promise<Record<PortName, number>> {
  const taken = new Set(Object.values(asked))
  if (taken.size < Object.keys(asked).length) throw new Error(`The same port is given twice: ${describe(asked)}.`)
  const chosen = { ...(await tlsPorts(asked, taken, ownTlsPort)) } as Record<PortName, number>
  for (const port of Object.values(chosen)) taken.add(port)
  for (const name of Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]) {
    const wanted = asked[name]
    chosen[name] = wanted === undefined ? await firstFree(DEFAULTS[name], taken) : await insistOn(name, wanted)
    taken.add(chosen[name])
  }
  return chosen
}

async function tlsPorts(asked: Settings['asked'], taken: Set<number>, ownTlsPort: number | undefined) {
  if (ownTlsPort === undefined) return NO_TLS
  const chosen = { ...NO_TLS }
  for (const [name, usual] of [
    ['CONSOLE_HTTP_PORT', 80],
    ['CONSOLE_HTTPS_PORT', ownTlsPort],
  ] as const) {
    const wanted = asked[name]
    if (wanted !== undefined) chosen[name] = await insistOn(name, wanted)
    else if (!taken.has(usual) && !(await whyNot(usual))) chosen[name] = usual
  }
  return chosen.CONSOLE_HTTPS_PORT === 0 ? NO_TLS : chosen
}

async function insistOn(name: PortName, port: number): Promise<number> {
  const refusal = await whyNot(port)
  if (refusal === 'EACCES') {
    throw new Error(
      `${name}=${port}: ports below 1024 need root. Use another one for ${PURPOSE[name]}, or run as root.`,
    )
  }
  if (refusal) {
    throw new Error(`${name}=${port} is taken by another program (${refusal}). Use another one for ${PURPOSE[name]}.`)
  }
  return port
}

async function firstFree(preferred: number[], taken: Set<number>): Promise<number> {
  for (const port of preferred) if (!taken.has(port) && !(await whyNot(port))) return port
  for (let port = preferred.at(-1)! + 1; port < 65536; port++) {
    if (!taken.has(port) && !(await whyNot(port))) return port
  }
  throw new Error('No port is free on this machine.')
}

/** Returns undefined if the port is free on every address of both families, otherwise the system's error code. */
async function whyNot(port: number): Promise<string | undefined> {
  return (await tryListen(port, '0.0.0.0')) ?? (await tryListen(port, '::'))
}

function tryListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      // On a machine without IPv6 nothing can hold the port there.
      resolve(['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes(error.code ?? '') ? undefined : error.code)
    })
    server.listen({ port, host, ipv6Only: host === '::', exclusive: true }, () =>
      server.close(() => resolve(undefined)),
    )
  })
}

function describe(asked: Settings['asked']): string {
  return Object.entries(asked)
    .map(([name, port]) => `${name}=${port}`)
    .join(', ')
}
