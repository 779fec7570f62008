/** What areas bring for people without a session, found by their files. */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import type { BeforeSession } from '../platform/manifest.ts'

const brought = Object.values(
  import.meta.glob<{ beforeSession: BeforeSession }>('../*/before-session.ts', { eager: true }),
).flatMap(({ beforeSession = {} }) => beforeSession)

export const signInPages = brought.flatMap(({ signInPages: pages = [] }) => pages)
export const linksOf = (tier: Tier) =>
  brought.flatMap(({ links = [] }) => links).filter((link) => !link.tiers || link.tiers.includes(tier))
