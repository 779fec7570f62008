/** Renders a module of proxy rewrites for nodes. */
import type { ProxyRewritesPart } from '@breakwater/contract/edge/module-parts.ts'
import type { ProxyRewrite } from '@breakwater/contract/modules/proxy-rewrites.ts'
import type { SavedRule } from '../publish/document.ts'

export function rewritesPart(module: number, rules: SavedRule[]): ProxyRewritesPart {
  return {
    kind: 'proxyRewrites',
    module,
    rules: rules.map(({ id, body }) => {
      const { urlRegex, target } = body as ProxyRewrite
      return { id, urlRegex, target }
    }),
  }
}
