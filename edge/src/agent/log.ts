/** The agent's own log: one JSON line each on standard output. Callers never pass secrets or bodies. */
type Fields = Record<string, unknown>

const levels = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof levels)[number]

const lowest = Math.max(0, levels.indexOf((process.env.BREAKWATER_LOG_LEVEL ?? 'info') as Level))

function write(level: Level, msg: string, fields: Fields = {}) {
  if (levels.indexOf(level) < lowest) return
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), level, msg, ...fields })}\n`)
}

export const log = {
  debug: (msg: string, fields?: Fields) => write('debug', msg, fields),
  info: (msg: string, fields?: Fields) => write('info', msg, fields),
  warn: (msg: string, fields?: Fields) => write('warn', msg, fields),
  error: (msg: string, fields?: Fields) => write('error', msg, fields),
}

/** What went wrong in one line, with the cause that network errors hide. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = (error as NodeJS.ErrnoException).code
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message || code || error.name}${cause}`
}
