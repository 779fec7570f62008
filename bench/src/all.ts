/**
 * Runs all benches one after the other, each in its own process so that none warms up the next. At the end prints their
 * output as a table in the format of `docs/benchmarks.md`.
 * Run: `npm run bench`, or `npm run bench price api` for some of them.
 */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'

const self = 'all.ts'
const wanted = process.argv.slice(2)
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== self)
  .map((file) => file.replace('.ts', ''))
  .filter((name) => wanted.length === 0 || wanted.includes(name))

/** Runs one bench. Passes its output through and returns it. */
function run(name: string): Promise<{ text: string; code: number | null }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk
    process.stdout.write(chunk)
  })
  return new Promise((done) => child.once('close', (code) => done({ text, code })))
}

const lines = ['| command | load | result |', '|---|---|---|']
let failed = 0
for (const name of names) {
  console.log(`\n== ${name}\n`)
  const load = loadavg()[0]!.toFixed(1)
  const { text, code } = await run(name)
  if (code !== 0) failed += 1
  const said = text.split('\n').map((line) => line.trim().replace(/\s+/g, ' ').replaceAll('|', '\\|'))
  const result = said.filter((line) => line !== '').join('<br>')
  lines.push(`| \`node bench/src/${name}.ts\` | ${load} | ${code === 0 ? result : `**failed**<br>${result}`} |`)
}
console.log(`\n${lines.join('\n')}`)
if (failed > 0) throw new Error(`${failed} did not end well`)
