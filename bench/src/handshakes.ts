/**
 * What a TLS 1.3 handshake costs the worker when its certificate is one of many, requested in random order, compared
 * with nginx with one static certificate. Each name has a site and a certificate of its own.
 * Run: `node bench/src/handshakes.ts [names] [rounds]`.
 */
import { cpus } from 'node:os'
import { Box } from '../../edge/box/harness.ts'
import { certificateFor } from '../../edge/box/make-certificate.ts'
import { shakeHands, startStatic } from './edge/handshakes.ts'
import { besideEachOther, costOf, inRounds, quantile } from './edge/paired.ts'
import { watchMachine } from './edge/processes.ts'
import { isWorker, workersOf } from './edge/workers.ts'

const [count, rounds] = [process.argv[2] ?? 10_000, process.argv[3] ?? 7].map(Number) as [number, number]
const handshakes = 500

const nameOf = (n: number) => `name-${n}.test`
const box = await Box.start({ workers: 1 }, (disk) =>
  disk.feed(
    ...Array.from({ length: count }, (_, n) =>
      disk.site({
        ...{ site: n + 1, hosts: [nameOf(n)], origins: [{ port: 9 }] },
        certificates: { [nameOf(n)]: [certificateFor(n + 1, nameOf(n))] },
      }),
    ),
  ),
)
const plain = await startStatic(certificateFor(1, 'a.test'))
try {
  const machine = watchMachine()
  const port = box.settings.httpsPort
  const shaken = (pids: () => readonly number[], at: number, name: () => string) => () =>
    costOf(pids(), handshakes, async () => {
      for (let n = 0; n < handshakes; n++) await shakeHands(at, name())
    })
  const workers = () => box.workers().filter(isWorker)
  const drawn = () => nameOf(Math.floor(Math.random() * count))
  const first = await costOf(workers(), count, async () => {
    for (let n = 0; n < count; n++) await shakeHands(port, nameOf(n))
  })
  console.log(`the first handshake of each of ${count} names: ${first.toFixed(0)} µs`)
  const seen = await inRounds(rounds, {
    many: shaken(workers, port, drawn),
    one: shaken(
      () => box.workers(),
      port,
      () => nameOf(0),
    ),
    fixed: shaken(
      () => workersOf(plain.child.pid!),
      plain.port,
      () => 'a.test',
    ),
  })
  const middle = (values: number[]) => quantile(values, 0.5).toFixed(0)
  for (const [what, these] of [
    [`one of ${count} names`, seen.many],
    ['the same name', seen.one],
  ] as const)
    console.log(`${what}: ${middle(these)} against ${middle(seen.fixed)} µs, ${besideEachOther(these, seen.fixed)}`)
  console.log(`${cpus()[0]?.model}, ${machine()}; ${rounds} rounds of ${handshakes}`)
} finally {
  plain.end()
  await box.end()
}
