/**
 * Rule lists: lists of small typed documents that belong to an owner. One declaration yields the calls; specific to a
 * kind are its schema, its sentence in the console and its guard on the edge.
 */
import { z } from 'zod'
import { type Endpoint, endpoint, type Tier } from './endpoint.ts'
import { Id, Memo, MomentText, Priority, RuleMode } from './fields.ts'
import { Ids, type Page, Paging, pageOf } from './paging.ts'
import type { Permission } from './permissions.ts'

/** What may own rules, and the path of the calls. */
const owners = {
  site: { path: '/:tier/site/:siteId/', tiers: ['user', 'client'] },
  domain: { path: '/:tier/site/:siteId/domain/:domainId/', tiers: ['user', 'client'] },
  module: { path: '/:tier/site/:siteId/module/', tiers: ['user', 'client'] },
  zone: { path: '/client/zone/:zoneId/', tiers: ['client'] },
  authGroup: { path: '/:tier/site/:siteId/auth/group/:groupId/', tiers: ['user', 'client'] },
} as const satisfies Record<string, { path: string; tiers: readonly Tier[] }>
export type RuleOwner = keyof typeof owners
type Place<O extends RuleOwner> = (typeof owners)[O]['path']

/**
 * What rules may have besides their own fields. A kind includes only those that are enforced for it: `enabled` always;
 * `mode` if its guard can observe; `expiresAt` if its guard enforces it; `memo` if people write one.
 */
export const RuleMeta = z.object({
  enabled: z.boolean().default(true),
  mode: RuleMode.default('enforce'),
  memo: Memo.default(''),
  /** When the rule expires; null for never. */
  expiresAt: z.iso.datetime({ offset: true }).nullable().default(null),
})
export type RuleMeta = z.output<typeof RuleMeta>

export const MadeRule = z.object({
  id: z.number().int(),
  sameAs: z
    .number()
    .int()
    .nullable()
    .describe('An enabled rule that says the very same, so that this one changes nothing; null where there is none.'),
})
export type MadeRule = z.output<typeof MadeRule>

/** Which rule is updated, and the state that the update is based on. */
type RuleTarget = { id: number; basedOn?: string | undefined }
const BasedOn = z.iso
  .datetime({ offset: true })
  .optional()
  .describe('`updatedAt` of the rule as it was read. A rule that was changed since is left as it is (409).')

const Stored = z.object({ id: z.number().int(), createdAt: MomentText, updatedAt: MomentText, createdBy: z.string() })
export type StoredRule<Item> = Item & z.output<typeof Stored>

type Options<Item extends z.ZodObject, O extends RuleOwner> = {
  owner: O
  /** `site.firewall.l7.secondRate`: ids of the calls are derived from it, with the plural for three of them. */
  ids: { one: string; many: string }
  paths: { one: string; many: string }
  item: Item
  read: Permission
  write: Permission
  /** The most rules of this kind per owner (101029). */
  max: number
  /** True if the calls are our own and not in the specification. */
  beyond?: boolean
  /** The noun for a rule in a sentence. */
  noun: string
  /** Whether the specification adds a rule at the singular path; by default it is added at the path of the list. */
  hasSingularCreate?: boolean
  /** Fields for which a new rule accepts less than a stored one may have. */
  created?: z.ZodRawShape
  /** Fields that are returned differently from how they are sent, or not at all: a secret is never returned. */
  shown?: Record<string, z.ZodType | undefined>
  /** Fields that may be left out in an update but not in a new rule. */
  changed?: z.ZodRawShape
  /** Two rules of one owner with the same key are rejected (101025). */
  uniqueKey?: (item: z.output<Item>) => string
  /** Checks across fields. */
  check?: (item: z.output<Item>, context: z.RefinementCtx) => void
}

export type RuleList<Item extends z.ZodObject = z.ZodObject, O extends RuleOwner = 'site'> = {
  owner: O
  kind: string
  /** Which fields of `RuleMeta` its rules have. */
  has: { mode: boolean; expiry: boolean; memo: boolean }
  item: Item
  max: number
  uniqueKey: ((item: z.output<Item>) => string) | undefined
  /** Fields for which a new rule accepts less than a stored one may have. */
  created: z.ZodRawShape | undefined
  calls: {
    list: Endpoint<Place<O>, Paging, undefined, undefined, Page<StoredRule<z.output<Item>>>>
    create: Endpoint<Place<O>, undefined, z.input<Item>, z.output<Item>, MadeRule>
    update: Endpoint<Place<O>, undefined, z.input<Item> & RuleTarget, z.output<Item> & RuleTarget, void>
    remove: Endpoint<Place<O>, undefined, { ids: number[] }, { ids: number[] }, void>
    switch: Endpoint<Place<O>, undefined, RuleSwitch, RuleSwitch, void>
  }
}

/** A list whose rules are evaluated in order: they have a `priority` and can be moved. */
export type OrderedRuleList<Item extends z.ZodObject = z.ZodObject, O extends RuleOwner = 'site'> = RuleList<
  Item,
  O
> & {
  calls: { move: Endpoint<Place<O>, undefined, RuleMove, RuleMove, void> }
}

/** Changes several rules at once; what is left out stays as it is. */
export const RuleSwitch = Ids.extend({ enabled: z.boolean().optional(), mode: RuleMode.optional() }).refine(
  ({ enabled, mode }) => enabled !== undefined || mode !== undefined,
  { message: 'required', path: ['enabled'] },
)
export type RuleSwitch = z.output<typeof RuleSwitch>

export const RuleMove = z.strictObject({
  id: Id,
  to: z.number().int().min(0).max(1000).describe('Its place from then on; 0 is asked first.'),
})
export type RuleMove = z.output<typeof RuleMove>

/** Declares a rule list with an additional call that moves a rule to another position. */
export function orderedRuleList<Item extends z.ZodObject<{ priority: z.ZodType<number> }>, const O extends RuleOwner>(
  kind: string,
  options: Options<Item, O>,
): OrderedRuleList<Item, O> {
  const { owner, ids, paths, write, noun } = options
  const { path, tiers } = owners[owner]
  const list = ruleList(kind, options)
  const last = Priority.optional().describe('Left out, the rule comes after all others.')
  const create = {
    ...list.calls.create,
    body: checked(z.strictObject({ ...options.item.shape, ...options.created, priority: last }), options),
  }
  const move = endpoint(`${ids.many}.move`, 'PUT', `${path}${paths.many}/order`, {
    tiers,
    can: write,
    audit: `${ids.one}.move`,
    body: RuleMove,
    beyond: true,
    summary: `Moves a ${noun} to another position. Other priorities change only as needed.`,
  })
  return { ...list, calls: { ...list.calls, create, move } } as unknown as OrderedRuleList<Item, O>
}

const checked = (body: z.ZodObject, { check }: { check?: (item: never, context: z.RefinementCtx) => void }) =>
  check ? body.superRefine((item, context) => check(item as never, context)) : body

/** A rule's own fields as they are returned. */
function shownOf(item: z.ZodObject, shown: Options<z.ZodObject, RuleOwner>['shown'] = {}): z.ZodObject {
  const fields = Object.entries({ ...item.shape, ...shown }).filter(([, field]) => field !== undefined)
  return z.object(Object.fromEntries(fields) as z.ZodRawShape)
}

/** Declares the calls of one kind of rule below its owner's path. */
export function ruleList<Item extends z.ZodObject, const O extends RuleOwner>(
  kind: string,
  options: Options<Item, O>,
): RuleList<Item, O> {
  const { owner, ids, paths, item, read, write, noun, beyond = false } = options
  const { path, tiers } = owners[owner]
  const many = `${path}${paths.many}`
  const one = `${path}${paths.one}`
  const made = options.hasSingularCreate ? { id: ids.one, path: one } : { id: ids.many, path: many }
  const row = shownOf(item, options.shown).extend(Stored.shape)
  const has = { mode: 'mode' in item.shape, expiry: 'expiresAt' in item.shape, memo: 'memo' in item.shape }
  const calls = {
    list: endpoint(`${ids.many}.list`, 'GET', many, {
      tiers,
      can: read,
      query: Paging,
      reply: pageOf(row),
      kind: 'list',
      beyond,
      summary: `Lists the ${noun}s of a ${owner}.`,
    }),
    create: endpoint(`${made.id}.create`, 'POST', made.path, {
      tiers,
      can: write,
      audit: `${ids.one}.create`,
      body: checked(z.strictObject({ ...item.shape, ...options.created }), options),
      reply: MadeRule,
      beyond,
      summary: `Adds a ${noun}.`,
    }),
    update: endpoint(`${ids.one}.update`, 'PUT', one, {
      tiers,
      can: write,
      body: checked(z.strictObject({ id: Id, basedOn: BasedOn, ...item.shape, ...options.changed }), options),
      beyond,
      summary: `Updates a ${noun}.`,
    }),
    remove: endpoint(`${ids.many}.remove`, 'DELETE', many, {
      tiers,
      can: write,
      audit: `${ids.one}.remove`,
      body: Ids,
      beyond,
      summary: `Removes ${noun}s.`,
    }),
    switch: endpoint(`${ids.many}.switch`, 'PUT', many, {
      tiers,
      can: write,
      audit: `${ids.one}.update`,
      body: has.mode ? RuleSwitch : Ids.extend({ enabled: z.boolean() }),
      beyond: true,
      summary: has.mode
        ? `Enables, disables, enforces or observes several ${noun}s in one revision: all of them, or none.`
        : `Enables or disables several ${noun}s in one revision: all of them, or none.`,
    }),
  }
  return {
    owner,
    kind,
    item,
    has,
    max: options.max,
    uniqueKey: options.uniqueKey,
    created: options.created,
    calls: calls as unknown as RuleList<Item, O>['calls'],
  }
}
