/** The open stream that wakes this node. It carries no content: on any message the agent requests what is new. */
import { Wake } from '@breakwater/contract/edge/node-api.ts'
import { type ControlPlane, Refused } from './control-plane.ts'
import { log, reasonOf } from './log.ts'
import { outageWaits, pause } from './retry.ts'

/** Heartbeats come every 15 s; a connection that misses two is dead, even if the kernel considers it open. */
const SILENCE_MS = 40_000
const LINE_MAX = 4096

export type Wakes = Record<'feed' | 'tasks' | 'bans' | 'rows', () => void>

/** Keeps the stream open until the signal is aborted. Each new connection wakes all: a wake may have been missed. */
export async function listen(plane: ControlPlane, wakes: Wakes, signal: AbortSignal): Promise<void> {
  // A thousand nodes retrying every four seconds cost a node API a quarter of a core; after a short outage it is back
  // soon.
  const waits = outageWaits(500, 8_000)
  while (!signal.aborted) {
    try {
      await readWakes(plane, wakes, signal, () => waits.succeeded())
      throw new Error('the stream ended')
    } catch (error) {
      if (signal.aborted) return
      const asked = error instanceof Refused ? error.retryAfterMs : 0
      log.info('the stream is closed; connecting again', { reason: reasonOf(error) })
      await pause(asked + waits.failed(), signal)
    }
  }
}

async function readWakes(plane: ControlPlane, wakes: Wakes, signal: AbortSignal, alive: () => void): Promise<void> {
  const message = await plane.open('/stream', signal)
  message.setTimeout(SILENCE_MS, () => message.destroy(new Error('the stream is silent')))
  wakes.feed()
  wakes.tasks()
  wakes.bans()
  let rest = ''
  for await (const chunk of message as AsyncIterable<Buffer>) {
    // Only a connection that has carried data counts as working.
    alive()
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_MAX) throw new Error('the stream sent something else than wakes')
    for (const line of lines) if (line !== '') wake(line, wakes)
  }
}

function wake(line: string, wakes: Wakes) {
  const parsed = Wake.safeParse(JSON.parse(line))
  if (parsed.success && parsed.data.wake !== 'beat') wakes[parsed.data.wake]()
}
