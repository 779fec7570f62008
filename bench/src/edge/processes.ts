/** The CPU time of every process of a product, grouped by component, and the load of the machine meanwhile. */
import { readdirSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import type { Product } from '../../../tests/harness/product.ts'

export const groups = ['nginx', 'agent', 'node API', 'ClickHouse', 'PostgreSQL', 'API and jobs'] as const
export type Group = (typeof groups)[number]
/** In µs. */
export type Taken = Record<Group, number>

/** The supervisor's names for the parts of each group. */
const partsOf: Record<Group, string[]> = {
  nginx: ['nginx'],
  agent: ['agent'],
  'node API': ['node-api'],
  ClickHouse: ['clickhouse'],
  PostgreSQL: ['postgres'],
  'API and jobs': ['api', 'worker', 'lab'],
}

const tickUs = 10_000
type Process = { parent: number; us: number }

/** Every process, including the CPU time of its exited children: PostgreSQL forks a process per connection. */
function processes(): Map<number, Process> {
  const found = new Map<number, Process>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')
      const us = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) * tickUs
      found.set(Number(name), { parent: Number(fields[1]), us })
    } catch (error) {
      // It exited while it was being read.
      if (!/ENOENT|ESRCH/.test(String((error as NodeJS.ErrnoException).code))) throw error
    }
  }
  return found
}

function treeOf(root: number, all: Map<number, Process>): number {
  const children = [...all].filter(([, { parent }]) => parent === root)
  return (all.get(root)?.us ?? 0) + children.reduce((sum, [pid]) => sum + treeOf(pid, all), 0)
}

/** CPU time of this process, and of its descendants, in µs. */
export function takenHere(): { own: number; started: number } {
  const all = processes()
  const own = all.get(process.pid)!.us
  return { own, started: treeOf(process.pid, all) - own }
}

function pidsBelow(root: number, all: Map<number, Process>): number[] {
  const children = [...all].filter(([, { parent }]) => parent === root)
  return [root, ...children.flatMap(([pid]) => pidsBelow(pid, all))]
}

/** Every process of a product, by the part it belongs to. */
export function pidsOf(product: Product): Record<string, number[]> {
  const all = processes()
  const below = (part: string) => pidsBelow(product.pid(part), all)
  const parts = Object.fromEntries(Object.values(partsOf).flatMap((names) => names.map((part) => [part, below(part)])))
  return { ...parts, supervisor: [all.get(product.pid('api'))!.parent] }
}

export function takenBy(product: Product): Taken {
  const all = processes()
  const of = (part: string) => treeOf(product.pid(part), all)
  return Object.fromEntries(
    groups.map((group) => [group, partsOf[group].reduce((sum, part) => sum + of(part), 0)]),
  ) as Taken
}

export const between = (before: Taken, after: Taken): Taken =>
  Object.fromEntries(groups.map((group) => [group, after[group] - before[group]])) as Taken

export const totalOf = (taken: Taken): number => groups.reduce((sum, group) => sum + taken[group], 0)

/** Returns a function that reports the load of the machine and the steal time since this call, as text. */
export function watchMachine(): () => string {
  const read = () => {
    const fields = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/\s+/).slice(1, 9).map(Number)
    const all = fields.reduce((sum, one) => sum + one, 0)
    return { all, idle: fields[3]! + fields[4]!, stolen: fields[7]! }
  }
  const before = read()
  return () => {
    const after = read()
    const share = (key: 'idle' | 'stolen') => ((100 * (after[key] - before[key])) / (after.all - before.all)).toFixed(1)
    return `load ${loadavg()[0]!.toFixed(1)}, idle ${share('idle')} %, stolen ${share('stolen')} %`
  }
}
