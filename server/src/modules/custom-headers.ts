/** Renders a module of custom headers for nodes. */
import type { CustomHeadersPart, EdgeHeader } from '@breakwater/contract/edge/module-parts.ts'
import type { SavedRule } from '../publish/document.ts'

export function headersPart(module: number, rules: SavedRule[]): CustomHeadersPart {
  return {
    kind: 'customHeaders',
    module,
    headers: rules.map(({ id, body }): EdgeHeader => {
      const { type, key, value } = body as Omit<EdgeHeader, 'id'>
      return { id, type, key, value }
    }),
  }
}
