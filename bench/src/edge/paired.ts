/** What two sides cost in paired rounds, and the confidence interval of their ratio. */
import { cpuOf } from './workers.ts'

export function quantile(values: readonly number[], q: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))] ?? 0
}

/** The median of the rounds' ratios and its 95 % confidence interval (by rank, valid for any distribution). */
export function besideEachOther(these: readonly number[], those: readonly number[]): string {
  const ratios = these.map((one, round) => one / those[round]!).sort((a, b) => a - b)
  const rank = (at: number) => ratios[Math.min(ratios.length - 1, Math.max(0, Math.round(at)))]!.toFixed(2)
  const [middle, reach] = [(ratios.length - 1) / 2, 0.98 * Math.sqrt(ratios.length)]
  return `${rank(middle)} x [${rank(middle - reach)}, ${rank(middle + reach)}]`
}

/** CPU time of these processes in µs per request (or whatever `count` counts). */
export async function costOf(pids: readonly number[], count: number, run: () => Promise<unknown>): Promise<number> {
  const before = cpuOf(pids)
  await run()
  return (cpuOf(pids) - before) / count
}

/** Runs this many rounds. Each round measures every kind once, in random order. */
export async function inRounds<Name extends string>(rounds: number, kinds: Record<Name, () => Promise<number>>) {
  const all = Object.keys(kinds) as Name[]
  const seen = Object.fromEntries(all.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (const name of all) await kinds[name]()
  for (let round = 0; round < rounds; round++)
    for (const name of all.toSorted(() => Math.random() - 0.5)) seen[name].push(await kinds[name]())
  return seen
}
