/**
 * How long it takes to have the kernel drop banned addresses: 1, 1,000 and 50,000 sent at once, in a separate network
 * namespace. Requires root and nftables.
 * Run: `unshare -n node bench/src/kernel-bans.ts [rounds]`.
 */
import { cpus, loadavg } from 'node:os'
import { changes, nothingHeld, opening, removal, tableOf } from '../../edge/src/agent/kernel-table.ts'
import { nft } from '../../edge/src/agent/nft.ts'

const rounds = Number(process.argv[2] ?? 5)
const table = tableOf(80)
const now = Date.now() / 1000
const bansOf = (count: number) =>
  new Map(Array.from({ length: count }, (_, n) => [`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, now + 600]))

async function measure(count: number): Promise<number> {
  await nft.run(`${removal(table)}${opening(table)}`)
  const startedMs = performance.now()
  await nft.run(changes(table, nothingHeld, { ...nothingHeld, bans: bansOf(count) }, now))
  return performance.now() - startedMs
}

console.log(`${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}; the middle of ${rounds} rounds`)
for (const count of [1, 1000, 50_000]) {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await measure(count))
  console.log(`${count} bans in one go: ${times.sort((a, b) => a - b)[rounds >> 1]?.toFixed(1)} ms`)
}
