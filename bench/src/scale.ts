/**
 * What a fleet requires of the control plane's log. The cost of a batch is measured here, on a real store with all of
 * its rollups; the fleet is then simulated with it, node by node and batch by batch.
 * Run: `node bench/src/scale.ts [nodes] [requests per second of each]`.
 */
import { availableParallelism, cpus, loadavg } from 'node:os'
import { GATHER_STEADY_MS } from '../../edge/src/agent/upload-pace.ts'
import { measureCosts } from './scale/measure.ts'
import { simulate } from './scale/simulate.ts'

const [nodes, perSecond] = [process.argv[2] ?? 100, process.argv[3] ?? 20_000].map(Number) as [number, number]
/** Maximum age of a row when it is stored, in seconds: nodes check once a second whether they have gathered enough. */
const lagMax = GATHER_STEADY_MS / 1000 + 4
/** The rest of a store's capacity is needed for queries and bursts. */
const busyMax = 0.7

const costs = await measureCosts()
const us = (value: number) => `${(value * 1e6).toFixed(1)} µs`
console.log(`${cpus()[0]?.model}, ${availableParallelism()} processors, load ${loadavg()[0]!.toFixed(1)}`)
console.log(
  `store: ${(costs.ofInsert * 1000).toFixed(0)} ms an insert and ${us(costs.ofRow)} a row, merges ${us(costs.mergesOfRow)} a row; node API: take in ${us(costs.apiOfRow)} a row`,
)
console.log(
  `bytes a row: ${costs.bytesOfLine.toFixed(0)} as nginx writes it, ${costs.bytesOnWire.toFixed(0)} sent, ${costs.bytesStored.toFixed(0)} stored`,
)

const isEnough = (fleetNodes: number, rate: number, stores: number) => {
  const { busy, lag } = simulate({ ...costs, nodes: fleetNodes, perSecond: rate, stores })
  return busy <= busyMax && lag <= lagMax
}
/** The last number, counting from 1, for which `isTrue` holds. */
const lastOf = (isTrue: (number: number) => boolean): number => {
  let number = 0
  while (isTrue(number + 1)) number++
  return number
}
console.log('\none store that takes one batch after the other (the embedded one) keeps up with')
for (const rate of [5, 100, 1_000, 5_000, 20_000])
  console.log(
    `  ${String(lastOf((count) => count < 3_000 && isEnough(count, rate, 1))).padStart(5)} nodes of ${rate} requests a second`,
  )

const stores = lastOf((count) => count < nodes && !isEnough(nodes, perSecond, count)) + 1
const seen = simulate({ ...costs, nodes, perSecond, stores })
const total = nodes * perSecond
const tb = (bytes: number) => (bytes / 1e12).toFixed(1)
console.log(`\n${nodes} nodes of ${perSecond} requests a second: ${total} rows a second`)
console.log(
  `  ${stores} stores or shards, ${(seen.busy * 100).toFixed(0)} % busy with inserts: ${seen.insertsPerSecond.toFixed(1)} inserts a second of ${Math.round(seen.rowsOfBatch)} rows; rows are stored after ${seen.lag.toFixed(1)} s at most`,
)
console.log(
  `  cores: inserts ${(seen.busy * stores).toFixed(1)}, merges ${(costs.mergesOfRow * total).toFixed(1)}, node API ${(costs.apiOfRow * total).toFixed(1)} and its TLS`,
)
console.log(
  `  network ${((costs.bytesOnWire * total * 8) / 1e6).toFixed(0)} Mbit/s into the node API, as much from there to the stores; disk ${tb(costs.bytesStored * total * 86_400)} TB a day, ${tb(costs.bytesStored * total * 86_400 * 30)} TB in 30 days`,
)
