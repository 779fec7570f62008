/**
 * What the idle product takes: memory of every process (PSS: a shared page is divided among the processes that share
 * it) and CPU time, some time after a start with previously compiled sources.
 * Run: `node bench/src/rest.ts [seconds to wait] [seconds to measure]`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startProduct } from '../../tests/harness/product.ts'
import { between, groups, pidsOf, takenBy, totalOf, watchMachine } from './edge/processes.ts'

const [waitSeconds, lookSeconds] = [Number(process.argv[2] ?? 60), Number(process.argv[3] ?? 20)]

/** In MB. `own` is anonymous memory (Pss_Anon), which is backed by no file. */
function memoryOf(pids: number[]): { pss: number; own: number } {
  const texts = pids.map((pid) => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
  const of = (name: string) =>
    texts.reduce((sum, text) => sum + Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1000, 0)
  return { pss: of('Pss'), own: of('Pss_Anon') }
}

await using ends = new AsyncDisposableStack()
const cache = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
ends.defer(() => rmSync(cache, { recursive: true }))
const compiling = await startProduct({ NODE_COMPILE_CACHE: cache })
await compiling.stop()
const product = await startProduct({ NODE_COMPILE_CACHE: cache })
ends.defer(() => product.stop())
await pause(waitSeconds * 1000)

const machine = watchMachine()
const before = takenBy(product)
await pause(lookSeconds * 1000)
const taken = between(before, takenBy(product))
const parts = Object.entries(pidsOf(product)).map(([name, pids]) => ({ name, pids, ...memoryOf(pids) }))
const total = parts.reduce((sum, { pss }) => sum + pss, 0)
console.log(`${cpus()[0]?.model}, ${machine()}`)
for (const { name, pids, pss, own } of parts)
  console.log(
    `${name.padEnd(14)} ${pss.toFixed(0).padStart(5)} MB, ${own.toFixed(0).padStart(4)} of them its own; processes: ${pids.length}`,
  )
console.log(`${'all of it'.padEnd(14)} ${total.toFixed(0).padStart(5)} MB (600 wanted at most)`)
const share = (us: number) => (us / lookSeconds / 10_000).toFixed(1)
console.log(
  `processor: ${share(totalOf(taken))} % of a core (${groups.map((group) => `${group} ${share(taken[group])}`).join(', ')})`,
)
