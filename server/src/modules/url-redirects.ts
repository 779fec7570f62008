/** URL redirects: their calls, and their rendering for nodes. */
import type { EdgeRedirect, UrlRedirectsPart } from '@breakwater/contract/edge/module-parts.ts'
import { redirectMatch } from '@breakwater/contract/modules/redirect-match.ts'
import { type UrlRedirect, urlRedirects } from '@breakwater/contract/modules/url-redirects.ts'
import { fieldFault } from '../http/fault.ts'
import type { Feature } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import type { SavedRule } from '../publish/document.ts'
import { boundNames } from './bindings.ts'
import { moduleFeature } from './module-family.ts'
import { findLoop } from './redirect-loops.ts'

export const urlRedirectsFeature = (services: Services): Feature =>
  moduleFeature(services, urlRedirects, {
    async check(db, module, items, { ids, fieldOf }) {
      const loop = findLoop(items, await boundNames(db, module.id), ids)
      if (loop) throw fieldFault(fieldOf(loop.id, 'target'), 'redirectLoop')
    },
  })

export function redirectsPart(module: number, rules: SavedRule[]): UrlRedirectsPart {
  return {
    kind: 'urlRedirects',
    module,
    rules: rules.map(({ id, body }): EdgeRedirect => {
      const { urlRegex, target, statusCode, keepQuery } = body as UrlRedirect
      return { id, ...redirectMatch(urlRegex), target, status: statusCode, keepQuery }
    }),
  }
}
