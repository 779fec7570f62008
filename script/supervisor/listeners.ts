import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** A listening socket in the kernel's table: local address and port in hexadecimal, state 0A. */
const LISTENING = /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) \S+ 0A /gm
const LOOK_MS = 20

/** Number of sockets that listen on a port; processes may share one. */
function listenersOn(port: number): number {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  return ['tcp', 'tcp6'].reduce((sum, family) => {
    const table = readFileSync(`/proc/net/${family}`, 'utf8')
    return sum + [...table.matchAll(LISTENING)].filter(([, at]) => at === wanted).length
  }, 0)
}

/** Waits until this many sockets listen on a port, for at most `ms`. Returns false if they do not. */
export async function untilListening(port: number, count: number, ms: number, signal: AbortSignal): Promise<boolean> {
  const deadline = Date.now() + ms
  while (!signal.aborted && Date.now() < deadline) {
    if (listenersOn(port) >= count) return true
    await pause(LOOK_MS)
  }
  return false
}
