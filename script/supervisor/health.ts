import { setTimeout as pause } from 'node:timers/promises'

/** Waits until the server says that all of it serves, and tells from time to time what it still waits for. */
export async function untilHealthy(port: number, tell: (text: string) => void, signal: AbortSignal): Promise<void> {
  const startedMs = performance.now()
  let told = 10_000
  while (!signal.aborted) {
    const state = await askHealth(port, signal)
    if (state === 'ok') return
    const waitedMs = performance.now() - startedMs
    if (waitedMs > told) {
      told += 10_000
      tell(`not all serves yet after ${Math.round(waitedMs / 1000)} s: ${state}`)
    }
    await pause(100, undefined, { signal }).catch(() => undefined)
  }
}

async function askHealth(port: number, signal: AbortSignal): Promise<string> {
  try {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(3000)])
    const response = await fetch(`http://127.0.0.1:${port}/health`, { signal: patience })
    return response.ok ? 'ok' : (await response.text()).slice(0, 300)
  } catch {
    return 'the API does not answer'
  }
}
