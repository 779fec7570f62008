import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { choosePorts } from './ports.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

function occupy(port = 0, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    servers.push(server)
    server.once('error', reject)
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const port = await occupy()
  await new Promise((resolve) => servers.pop()!.close(resolve))
  return port
}

test('a requested port that is taken is an error that names the port and its purpose', async () => {
  const port = await occupy()
  await expect(choosePorts({ PORT: port })).rejects.toThrow(new RegExp(`^PORT=${port} is taken.*console`))
})

test('a port that is taken only on the other address family counts as taken', async () => {
  const port = await occupy(0, '::1')
  await expect(choosePorts({ EDGE_HTTP_PORT: port })).rejects.toThrow(`EDGE_HTTP_PORT=${port} is taken`)
})

test('defaults fall back to the next free port, and no port is assigned twice', async () => {
  await occupy(8080).catch(() => undefined)
  const ports = await choosePorts({ EDGE_HTTP_PORT: await freePort(), EDGE_HTTPS_PORT: await freePort() })
  expect(ports.PORT).toBeGreaterThan(8080)
  const given = Object.values(ports).filter((port) => port !== 0)
  expect([given.length, new Set(given).size]).toEqual([4, 4])
})

test('the console’s own TLS takes ports before the edge; a taken port turns it off, or is an error if it was requested', async () => {
  const [http, https] = [await freePort(), await freePort()]
  const asked = { CONSOLE_HTTP_PORT: http }
  expect(await choosePorts(asked, https)).toMatchObject({ ...asked, CONSOLE_HTTPS_PORT: https })
  expect(await choosePorts({ EDGE_HTTPS_PORT: https }, https)).toMatchObject({
    CONSOLE_HTTP_PORT: 0,
    CONSOLE_HTTPS_PORT: 0,
    EDGE_HTTPS_PORT: https,
  })
  const taken = await occupy()
  await expect(choosePorts({ CONSOLE_HTTPS_PORT: taken }, taken)).rejects.toThrow(
    `CONSOLE_HTTPS_PORT=${taken} is taken`,
  )
})

test('requesting the same port twice is an error', async () => {
  await expect(choosePorts({ PORT: 18_081, NODE_PORT: 18_081 })).rejects.toThrow('The same port is given twice')
})
