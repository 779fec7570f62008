/** The agent's own log: one JSON line per message on standard output. Callers never pass secrets or bodies. */
import { writeSync } from 'node:fs'

type Fields = Record<string, unknown>

const levels = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof levels)[number]

let lost = 0
const lowest = Math.max(0, levels.indexOf((process.env.BREAKWATER_LOG_LEVEL ?? 'info') as Level))

function write(level: Level, msg: string, fields: Fields = {}) {
  if (levels.indexOf(level) < lowest) return
  const line = `${JSON.stringify({ time: new Date().toISOString(), level, msg, ...fields })}\n`
  try {
    writeSync(1, line)
  } catch {
    // A full disk must not stop the agent: it has to apply settings again once there is room.
    lost++
    return
  }
  if (lost === 0) return
  const lines = lost
  lost = 0
  write('warn', 'lines of this log are missing: they could not be written', { lines })
}

export const log = {
  debug: (msg: string, fields?: Fields) => write('debug', msg, fields),
  info: (msg: string, fields?: Fields) => write('info', msg, fields),
  warn: (msg: string, fields?: Fields) => write('warn', msg, fields),
  error: (msg: string, fields?: Fields) => write('error', msg, fields),
}

/** The error in one line, with the nested cause of network errors. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = (error as NodeJS.ErrnoException).code
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message || code || error.name}${cause}`
}
