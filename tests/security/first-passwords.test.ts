/** What a first start generates and shows once is on the terminal, and in no file. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Product, startProduct } from '../harness/product.ts'

let product: Product
beforeAll(async () => {
  product = await startProduct({ BREAKWATER_FIRST_PASSWORD: '' })
})
afterAll(() => product?.stop())

/** Files in the data folder that contain a text, including the stores' own files, which come and go meanwhile. */
function filesWith(text: string): string[] {
  const { stdout, error } = spawnSync('grep', ['-rlsF', '-e', text, product.dataFolder], { encoding: 'utf8' })
  if (error) throw error
  return stdout.split('\n').filter((path) => path !== '')
}

test('the first passwords are on the terminal once, and in no log and no other file', async () => {
  const shown = [...product.output().matchAll(/^ {4}(admin|client|user) +(\S+) +(\S{20})$/gm)]
  expect(shown.map(([, tier]) => tier)).toEqual(['admin', 'client', 'user'])
  for (const [, tier, account, password] of shown) {
    const signIn = await fetch(`${product.url}/api/v1/${tier}/code`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account, password }),
    })
    expect([account, signIn.status]).toEqual([account, 200])
    expect(product.output().split(password!)).toHaveLength(2)
    expect(filesWith(password!)).toEqual([])
  }
  // Proves that the search finds text that is there.
  expect(filesWith('bringing').length + filesWith('listening').length).toBeGreaterThan(0)
})

test('no log contains an enrolment token, a session token, or a password of the stores', () => {
  const logs = join(product.dataFolder, 'logs')
  const text = readdirSync(logs)
    .map((name) => readFileSync(join(logs, name), 'utf8'))
    .join('\n')
  expect(text).not.toMatch(/"(token|accessToken|refreshToken|password)":\s*"/)
  expect(text).not.toMatch(/postgres(ql)?:\/\/[^@\s]+:[^@\s]+@/)
  for (const name of readdirSync(join(product.dataFolder, 'secrets')))
    expect(text).not.toContain(readFileSync(join(product.dataFolder, 'secrets', name), 'utf8').trim())
})
