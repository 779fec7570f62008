/** The logger of a request, which few requests ever use, and the log line that each of them writes. */
import type { FastifyBaseLogger } from 'fastify'
import pino, { type Bindings, type ChildLoggerOptions, type Logger } from 'pino'

const methods = ['info', 'error', 'debug', 'fatal', 'warn', 'trace', 'silent', 'child'] as const

type Made = { of: FastifyBaseLogger; bindings: Bindings; options: ChildLoggerOptions; made?: FastifyBaseLogger }

/** Shared by all requests, so that each request costs only one object. */
const shared = Object.fromEntries(
  methods.map((name) => [
    name,
    function write(this: Made, ...given: unknown[]): unknown {
      this.made ??= this.of.child(this.bindings, this.options)
      return (this.made[name] as (...given: unknown[]) => unknown)(...given)
    },
  ]),
)
Object.defineProperty(shared, 'level', {
  get(this: Made): string {
    return this.of.level
  },
})

/** A child logger that is created on first use: creating one takes a tenth of the time of a small call. */
export const childOnUse = (of: FastifyBaseLogger, bindings: Bindings, options: ChildLoggerOptions): FastifyBaseLogger =>
  Object.assign(Object.create(shared), { of, bindings, options })

/** The content of a call's log line; `took` is in ms. */
type Told = { reqId: string; method: string; path: string; status: number; took: number }

/**
 * Writes the log line of each call: the same as `logger.info(told, 'request')`, in a third of the time. These lines
 * contain no secrets, and their fields are known.
 */
export function linesOfCalls(logger: Logger): (told: Told) => void {
  const { streamSym, chindingsSym } = pino.symbols as unknown as Record<'streamSym' | 'chindingsSym', symbol>
  const level = pino.levels.values.info!
  const inside = logger as unknown as Record<symbol, unknown>
  const stream = inside[streamSym] as { write(line: string): void; lastLevel?: number }
  return ({ reqId, method, path, status, took }) => {
    if (!logger.isLevelEnabled('info')) return
    stream.lastLevel = level
    stream.write(
      `{"level":${level},"time":${Date.now()}${inside[chindingsSym]},"reqId":"${reqId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"took":${took},"msg":"request"}\n`,
    )
  }
}
