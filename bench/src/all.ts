/** Runs every bench after the other, each in a process of its own, so that none warms another up. Run: `npm run bench`. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const self = 'all.ts'
let failed = 0
for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts') && name !== self)) {
  console.log(`\n== ${file.replace('.ts', '')}\n`)
  if (spawnSync(process.execPath, [join(import.meta.dirname, file)], { stdio: 'inherit' }).status !== 0) failed += 1
}
if (failed > 0) throw new Error(`${failed} did not end well`)
