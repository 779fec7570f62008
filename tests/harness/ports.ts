/**
 * Free ports for what a test starts later. They are below the system's ephemeral range: a released ephemeral port may
 * be in use by another connection or listener by the time that a slow start binds it.
 */

import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

const lowest = 10_000
/** The first ephemeral port (Linux). */
const beyond = Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s/)[0])
/** Test processes that run in parallel use different shares. */
const shares = 8
const size = Math.floor((beyond - lowest) / shares)
const first = lowest + (Number(process.env.VITEST_POOL_ID ?? process.pid) % shares) * size

let next = Math.floor(Math.random() * size)

/** A TCP port that is free on all addresses; this process gets none a second time before it had all others. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < size; tried++) {
    const port = first + (next++ % size)
    if ((await isFree(port, '0.0.0.0')) && (await isFree(port, '::'))) return port
  }
  throw new Error('no port is free for tests')
}

/** `count` different free ports. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) ports.push(await freePort())
  return ports
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      // On a machine without IPv6 nothing can hold the port there.
      resolve(['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes(error.code ?? ''))
    })
    server.listen({ port, host, ipv6Only: host === '::', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
