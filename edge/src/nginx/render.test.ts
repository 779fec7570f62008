/** Golden files: a node's settings and their nginx.conf. `UPDATE_GOLDEN=1` rewrites them; review the diff. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import { expect, test } from 'vitest'
import { renderNginxConf } from './render.ts'

const golden = (name: string) => new URL(`../../golden/${name}/`, import.meta.url)

test.each(['full', 'lab'])('%s', (name) => {
  const settings = JSON.parse(readFileSync(new URL('settings.json', golden(name)), 'utf8')) as NodeSettings
  const file = new URL('nginx.conf', golden(name))
  const text = renderNginxConf(settings)
  if (process.env.UPDATE_GOLDEN) writeFileSync(file, text)
  expect(text).toBe(readFileSync(file, 'utf8'))
})

test('a path that could end a directive is rejected', () => {
  const settings = JSON.parse(readFileSync(new URL('settings.json', golden('full')), 'utf8')) as NodeSettings
  expect(() => renderNginxConf({ ...settings, folder: '/a"; include /etc/passwd; #' })).toThrow(TypeError)
  expect(() => renderNginxConf({ ...settings, trustedProxies: ['"}) os.exit() --'] })).toThrow(TypeError)
  expect(() => renderNginxConf({ ...settings, folder: `/${'deep/'.repeat(30)}` })).toThrow(RangeError)
})

test('the outer hop sets every header that the inner hop reads, in every location, whatever a visitor sends', () => {
  const settings = JSON.parse(readFileSync(new URL('settings.json', golden('full')), 'utf8')) as NodeSettings
  const request = join(import.meta.dirname, '../request')
  const read = globSync('**/*.ts', { cwd: request }).flatMap((file) =>
    [...readFileSync(join(request, file), 'utf8').matchAll(/vars?\.http_x_bw_(\w+)/g)].map(([, name]) => name!),
  )
  const configured = [...renderNginxConf(settings).matchAll(/\$http_x_bw_(\w+)/g)].map(([, name]) => name!)
  // The relay uses another socket.
  const names = new Set([...read, ...configured].filter((name) => name !== 'relay'))
  expect([...names].sort()).toEqual(['address', 'id', 'key', 'scheme', 'version'])
  const locations = renderNginxConf(settings)
    .split(/^ *location /m)
    .filter((text) => text.includes('proxy_pass http://fetch'))
  expect(locations.length).toBeGreaterThan(4)
  for (const text of locations)
    for (const name of names) expect(text.toLowerCase()).toContain(`proxy_set_header x-bw-${name} `)
})
