/** Golden pairs: what a node's settings become. `UPDATE_GOLDEN=1` writes them anew; review reads the difference. */
import { readFileSync, writeFileSync } from 'node:fs'
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

test('a path that could end a directive is refused', () => {
  const settings = JSON.parse(readFileSync(new URL('settings.json', golden('full')), 'utf8')) as NodeSettings
  expect(() => renderNginxConf({ ...settings, folder: '/a"; include /etc/passwd; #' })).toThrow(TypeError)
  expect(() => renderNginxConf({ ...settings, trustedProxies: ['"}) os.exit() --'] })).toThrow(TypeError)
  expect(() => renderNginxConf({ ...settings, folder: `/${'deep/'.repeat(30)}` })).toThrow(RangeError)
})
