/** The logger of a request, which few requests ever use, and the line that each of them writes. */
import type { FastifyBaseLogger } from 'fastify'
import pino, { type Bindings, type ChildLoggerOptions, type Logger } from 'pino'

const methods = ['info', 'error', 'debug', 'fatal', 'warn', 'trace', 'silent', 'child'] as const

type Made = { of: FastifyBaseLogger; bindings: Bindings; options: ChildLoggerOptions; made?: FastifyBaseLogger }

/** Shared by all requests, so that one costs an object. */
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

/** A child of a logger that is made once something is written: making one costs a tenth of a small call's own time. */
export const childOnUse = (of: FastifyBaseLogger, bindings: Bindings, options: ChildLoggerOptions): FastifyBaseLogger =>
  Object.assign(Object.create(shared), { of, bindings, options })

/** What the line of a call says; `took` in ms. */
type Told = { reqId: string; method: string; path: string; status: number; took: number }

/**
 * Writes the line of each call: the same as `logger.info(told, 'request')` writes, at a third of its time. These lines hold
 * no secrets, and their names are known.
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
