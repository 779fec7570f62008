import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Longer than the API itself waits for its stores: on a slow machine a late answer is an answer, too. */
const patienceMs = 10_000

/**
 * Waits until the server reports that all of it is serving and the edge listens. Prints now and then what is missing.
 */
export async function untilHealthy(
  ports: { PORT: number; EDGE_HTTP_PORT: number },
  tell: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const startedMs = performance.now()
  let told = 10_000
  while (!signal.aborted) {
    const state = (await askHealth(ports.PORT, signal)) ?? (await askEdge(ports.EDGE_HTTP_PORT))
    if (!state) return
    const waitedMs = performance.now() - startedMs
    if (waitedMs > told) {
      told += 10_000
      tell(`not all serves yet after ${Math.round(waitedMs / 1000)} s: ${state}`)
    }
    await pause(100, undefined, { signal }).catch(() => undefined)
  }
}

async function askHealth(port: number, signal: AbortSignal): Promise<string | undefined> {
  try {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    const response = await fetch(`http://127.0.0.1:${port}/health`, { signal: patience })
    return response.ok ? undefined : (await response.text()).slice(0, 300)
  } catch {
    return 'the API does not answer'
  }
}

/** The edge starts to listen only after it has loaded its configuration. */
function askEdge(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('error', () => resolve('the edge does not listen'))
    socket.once('connect', () => {
      socket.destroy()
      resolve(undefined)
    })
  })
}
