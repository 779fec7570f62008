/** Has a node inspect long requests in threads, and tells whether it does (`edge/src/request/phases/inspect-beside.ts`). */
import { readdirSync, readFileSync } from 'node:fs'
import { type Box, until } from './harness.ts'

/** A form that every decoder works on: after one, the site's long requests are inspected in a thread for 10 s. */
export const costlyForm = {
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: `text=${'%2525u003c%26%23x3c%3b%5cu003C%5cx3c%2f*%2b*%2f'.repeat(850)}`,
}

/** CPU time of the workers' threads that use idle time only (SCHED_IDLE), in ns. */
export const takenBeside = (box: Box): number => box.workers().reduce((sum, worker) => sum + takenBehind(worker), 0)

/** Field 41 of proc(5)'s stat, of which the first two precede. */
const policyAt = 38
const idle = '5'

function takenBehind(worker: number): number {
  let taken = 0
  for (const thread of readdirSync(`/proc/${worker}/task`)) {
    const fields = readFileSync(`/proc/${worker}/task/${thread}/stat`, 'latin1').split(') ')[1]!.split(' ')
    const [runs] = readFileSync(`/proc/${worker}/task/${thread}/schedstat`, 'latin1').split(' ')
    if (fields[policyAt] === idle) taken += Number(runs)
  }
  return taken
}

/** Sends costly forms until a thread has loaded the rule set and inspects them. */
export async function beInspectedBeside(box: Box, host: string): Promise<void> {
  await until('a thread that inspects', async () => {
    const before = takenBeside(box)
    await box.request(host, '/costly', costlyForm)
    return takenBeside(box) > before
  })
}
