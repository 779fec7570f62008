/** TLS sessions: resumed only by the site for which they were created. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start()
  const origins = [{ port: origin.port }]
  box = await Box.start({ workers: 1 }, (disk) =>
    disk.feed(
      disk.site({ hosts: ['a.test', 'also-a.test'], origins }),
      disk.site({ site: 2, hosts: ['b.test'], origins }),
    ),
  )
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

/** One request with OpenSSL's client, which offers a session under any name. Returns whether it was resumed. */
async function isResumed(version: string, name: string, session: string[]): Promise<boolean> {
  const client = spawn('openssl', [
    ...['s_client', version, '-ign_eof', '-connect', `127.0.0.1:${box.settings.httpsPort}`, '-servername', name],
    ...session,
  ])
  client.stdin.end(`GET / HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`)
  const said = (await client.stdout.toArray()).join('')
  const [, found] = /^(New|Reused), TLS/m.exec(said) ?? []
  if (found === undefined) throw new Error(`no handshake: ${said}`)
  return found === 'Reused'
}

test.each(['-tls1_2', '-tls1_3'])('a session (%s) is resumed only by its own site', async (version) => {
  const file = join(box.settings.folder, `session${version}`)
  expect(await isResumed(version, 'a.test', ['-sess_out', file])).toBe(false)
  expect(await isResumed(version, 'also-a.test', ['-sess_in', file])).toBe(true)
  expect(await isResumed(version, 'a.test', ['-sess_out', file])).toBe(false)
  expect(await isResumed(version, 'b.test', ['-sess_in', file])).toBe(false)
})
