import { createServer } from 'node:net'
import type { PortName, Settings } from './settings.ts'

/** In the order of preference; from the last one on, the next free port is taken. */
const DEFAULTS: Record<PortName, number[]> = {
  PORT: [8080],
  NODE_PORT: [8442],
  EDGE_HTTP_PORT: [80, 8081],
  EDGE_HTTPS_PORT: [443, 8443],
}

const PURPOSE: Record<PortName, string> = {
  PORT: 'the console and API',
  NODE_PORT: 'the nodes',
  EDGE_HTTP_PORT: 'the edge',
  EDGE_HTTPS_PORT: 'the edge’s TLS',
}

/** A port for each purpose. One that was asked for is taken or refused, never silently replaced. */
export async function choosePorts(asked: Settings['asked']): Promise<Record<PortName, number>> {
  const taken = new Set(Object.values(asked))
  if (taken.size < Object.keys(asked).length) throw new Error(`The same port is given twice: ${describe(asked)}.`)
  const chosen = {} as Record<PortName, number>
  for (const name of Object.keys(DEFAULTS) as PortName[]) {
    const wanted = asked[name]
    chosen[name] = wanted === undefined ? await firstFree(DEFAULTS[name], taken) : await insistOn(name, wanted)
    taken.add(chosen[name])
  }
  return chosen
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

/** Nothing when the port is free on every address of both families, else the system's word for why not. */
async function whyNot(port: number): Promise<string | undefined> {
  return (await tryListen(port, '0.0.0.0')) ?? (await tryListen(port, '::'))
}

function tryListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      // A machine without IPv6 has nobody there who could have taken the port.
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
