/** Renders a CORS module for nodes. */
import type { CorsPart } from '@breakwater/contract/edge/module-parts.ts'
import type { Cors } from '@breakwater/contract/modules/cors.ts'

export function corsPart(module: number, said: Record<string, unknown>): CorsPart {
  const { origins, methods, headers, exposeHeaders, credentials, maxAge } = said as Cors
  return { kind: 'cors', module, origins, methods, headers, exposeHeaders, credentials, maxAge }
}
