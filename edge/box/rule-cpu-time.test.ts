/** The CPU time budget of a site's rules: their own time is charged to the site, LuaJIT's compilation is not. */
import { Agent, request as httpRequest } from 'node:http'
import { expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'

const rule = (id: number, urlRegex: string) => ({
  ...{ id, urlRegex, rate: 1e6, burst: 1e6, blockType: 1 },
  mode: 'enforce' as const,
})

/** Requests the paths in turn, 32 at a time over keep-alive connections. Returns the number of each status. */
async function askMany(port: number, host: string, paths: readonly string[], times: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const statuses: Record<number, number> = {}
  const get = (path: string) =>
    new Promise<void>((resolve, reject) => {
      httpRequest({ agent, port, host: '127.0.0.1', path, headers: { host } }, (reply) => {
        statuses[reply.statusCode ?? 0] = (statuses[reply.statusCode ?? 0] ?? 0) + 1
        reply.resume().on('end', resolve)
      })
        .on('error', reject)
        .end()
    })
  await Promise.all(Array.from({ length: times }, (_, n) => get(paths[n % paths.length]!)))
  agent.destroy()
  return statuses
}

test('a worker that has not yet compiled a site’s rules refuses no visitor', async () => {
  const origin = await StubOrigin.start((_request, response) => {
    response.setHeader('cache-control', 'max-age=3600').end('origin')
  })
  const count = 50
  const box = await Box.start({ workers: 1 }, (disk) => {
    const rateRules = Array.from({ length: count }, (_, n) =>
      rule(100 + n, `^/(section|part)-${n}/[a-z0-9-]+\\.(css|js)$`),
    )
    disk.feed(disk.site({ origins: [{ port: origin.port }], firewall: { rateRules } }))
  })
  try {
    const paths = Array.from({ length: count }, (_, n) => `/${n % 2 === 0 ? 'section' : 'part'}-${n}/file.css`)
    expect(await askMany(box.settings.httpPort, 'site.test', paths, 20_000)).toEqual({ 200: 20_000 })
  } finally {
    await box.end()
    await origin.end()
  }
})

test('slow expressions are charged only to their own site, until its requests are refused', async () => {
  const origin = await StubOrigin.start((_request, response) => response.end('origin'))
  const box = await Box.start({ workers: 1 }, (disk) => {
    // Some hundred thousand steps each, below the match limit. Different beginnings, as common ones are matched once.
    const slow = Array.from('abcdefghijklmnopqrstuvw', (char, n) => rule(100 + n, `^/[^${char}]*.*.*=0y`))
    const origins = [{ port: origin.port }]
    disk.feed(disk.site({ site: 1, hosts: ['slow.test'], origins, firewall: { rateRules: slow } }))
    disk.feed(disk.site({ site: 2, hosts: ['other.test'], origins, firewall: { rateRules: [rule(900, '^/.*=y')] } }))
  })
  try {
    const path = `/=y${'x'.repeat(150)}`
    const { httpPort } = box.settings
    const statuses = await askMany(httpPort, 'slow.test', [path], 200)
    expect(statuses[500], JSON.stringify(statuses)).toBeGreaterThan(50)
    expect(box.errors()).toContain('the rules of this site take too long')
    expect(await askMany(httpPort, 'other.test', [path], 200)).toEqual({ 200: 200 })
  } finally {
    await box.end()
    await origin.end()
  }
})
