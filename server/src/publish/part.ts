/**
 * A part of a site's document: its schema, how it is gathered, compared, restored and rendered for a node. Each area
 * describes its own; `server/src/parts.ts` lists them. Publishing knows the list, but no area.
 */
import type { ArtefactDomain } from '@breakwater/contract/edge/artefact.ts'
import type { EdgeFeature } from '@breakwater/contract/edge/features.ts'
import type { z } from 'zod'
import type { Database } from '../db/database.ts'
import type { Bodies, SavedRule, SiteDocument } from './document.ts'
import type { LockedSite } from './locked-sites.ts'
import type { Rendering } from './rendering.ts'

/**
 * Reads bodies of many sites in a number of statements that does not grow with them; a site or part that is not in the
 * result is empty. Parts that share the function share its statements, and all run concurrently. Runs as the caller, or
 * as the system if the part requires it.
 */
export type Gather = (db: Database, siteIds: number[]) => Promise<ReadonlyMap<number, Bodies>>

/** A thing that a person knows by name (a rule, a domain, a setting), for comparing revisions. */
export type Item = readonly [path: string, value: unknown]

/** Long values inside a body, stored separately by content hash. */
export type Long<Body> = {
  /** The body with long values replaced by hashes. */
  split(body: Body, keep: (value: object) => string): object
  /** The hashes in the result of `split`. */
  hashesOf(stored: object): string[]
  join(stored: object, read: (hash: string) => object): object
}

export type SitePart<Body extends object = object> = {
  owner: 'site'
  /** Its key in documents and manifests. */
  name: string
  schema: z.ZodType<Body>
  gather: Gather
  /** True for parts that customers cannot read themselves: their operator's settings. */
  isGatheredAsSystem?: true
  empty: Body
  /** Whether each value of the body is stored separately by content hash, because sites share it. */
  isKeyed?: boolean
  long?: Long<Body>
  /** True for parts that other sites use too: a restore of the whole site leaves them unchanged. */
  isShared?: true
  /** For a shared part that a restore writes if it is selected. Without this the part is never restored. */
  shared?: {
    /** Whether a changed item is restored: one with secrets stays as it is now. */
    goesBack(item: unknown): boolean
    /** Locks what a restore of the body writes, and returns the ids of all sites that use it. Runs as the caller. */
    lock(db: Database, site: { id: number }, body: Body): Promise<number[]>
  }
  /** The body, if an older document has it in another part. */
  lift?(stored: Bodies): Body | undefined
  items(body: Body): Iterable<Item>
  /** The rules in it, so that one can be found by its id. */
  rulesOf?(body: Body): SavedRule[]
  /** The domains in it. Only one part has this. */
  domainsOf?(body: Body): { id: number; name: string }[]
  /**
   * Replaces the site's current body, after the same checks as saving it. What belongs to others, or is a secret, stays
   * as it is now. Runs as the caller, who holds the site's lock.
   */
  restore(db: Database, site: LockedSite, body: Body): Promise<void>
  render?(body: Body, out: Rendering): void
  /** Features that a node must have to serve it. */
  requires?(body: Body): readonly EdgeFeature[]
}

/** A part of which each domain of a site has its own body. Documents hold these by domain id. */
export type DomainPart<Body extends object = object> = {
  owner: 'domain'
  name: string
  /** For one domain's body. */
  schema: z.ZodType<Body>
  /** Each site's body is a record by domain id. */
  gather: Gather
  /** The bodies by domain id, if an older document has them in another part. */
  lift?(document: Bodies): Record<number, Body> | undefined
  /** The items of a domain; paths are below `domains/<name>/`. */
  items(body: Body): Iterable<Item>
  rulesOf?(body: Body): SavedRule[]
  /** As for a site's part, for those domains that have a body. Called after the domains are restored. */
  restore(db: Database, site: LockedSite, bodies: ReadonlyMap<number, Body>): Promise<void>
  render?(body: Body, domain: ArtefactDomain, out: Rendering): void
  requires?(body: Body): readonly EdgeFeature[]
}

export type Part = SitePart | DomainPart
/** All parts, in the order in which they are restored and rendered. */
export type Parts = readonly Part[]

/** The body of a site's part in a document. */
export const bodyOf = <Body extends object>(document: SiteDocument, part: SitePart<Body>): Body =>
  (document[part.name] as Body | undefined) ?? part.empty

/** The bodies of a domain's part in a document, by domain id. */
export const bodiesOf = <Body extends object>(document: SiteDocument, part: DomainPart<Body>): Record<number, Body> =>
  (document[part.name] as Record<number, Body> | undefined) ?? {}
