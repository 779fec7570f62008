/** The logger of a request, which few requests ever use. */
import type { FastifyBaseLogger } from 'fastify'
import type { Bindings, ChildLoggerOptions } from 'pino'

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
