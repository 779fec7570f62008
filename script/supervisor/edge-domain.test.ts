import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chooseEdgeDomain } from './edge-domain.ts'

let dataFolder: string
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'bw-edge-domain-'))
})
afterEach(() => rmSync(dataFolder, { recursive: true, force: true }))

/** A person who types these lines, one per question. */
function person(...lines: string[]) {
  const terminal = { input: new PassThrough(), output: new PassThrough() }
  const said = { text: '' }
  terminal.output.on('data', (chunk: Buffer) => {
    said.text += chunk
    if (String(chunk).includes('Enter for none')) terminal.input.write(`${lines.shift()}\n`)
  })
  return { terminal, said }
}
const choose = (known: Partial<Parameters<typeof chooseEdgeDomain>[0]> = {}) =>
  chooseEdgeDomain({ dataFolder, ofEnvironment: undefined, ofCommandLine: undefined, terminal: undefined, ...known })

test('the first start asks, accepts only a DNS name, and does not ask again', async () => {
  const { terminal, said } = person('not a name', 'Edge.Example.com.')
  expect(await choose({ terminal })).toBe('edge.example.com')
  expect(said.text).toContain('not a DNS name')
  expect(await choose({ terminal: person().terminal })).toBe('edge.example.com')
  expect(await choose()).toBe('edge.example.com')
})

test('“none” is remembered as an answer too', async () => {
  expect(await choose({ terminal: person('').terminal })).toBeUndefined()
  expect(await choose({ terminal: person().terminal })).toBeUndefined()
})

test('it can be set later, and the environment takes precedence', async () => {
  await choose({ terminal: person('').terminal })
  expect(await choose({ ofCommandLine: 'edge.example.net' })).toBe('edge.example.net')
  expect(await choose({ ofEnvironment: 'edge.example.org' })).toBe('edge.example.org')
  expect(await choose({ ofCommandLine: '' })).toBeUndefined()
  await expect(choose({ ofCommandLine: 'no name' })).rejects.toThrow('--edge-domain')
})

test('without a terminal there is none, and the next start may ask', async () => {
  expect(await choose()).toBeUndefined()
  expect(await choose({ terminal: person('edge.example.com').terminal })).toBe('edge.example.com')
})
