/**
 * The rule lists that a domain has of its own. Separate from those of sites, since the request path parses no domain
 * names.
 */
import type { z } from 'zod'
import { antiHeaders } from './anti-headers.ts'
import { antiReferers } from './anti-referers.ts'
import type { DomainKind } from './kinds.ts'

export const domainKinds = { antiHeaders, antiReferers } as const satisfies Record<DomainKind, unknown>
export type DomainRule<K extends DomainKind> = z.output<(typeof domainKinds)[K]['item']>
export const isDomainKind = (kind: string): kind is DomainKind => kind in domainKinds
