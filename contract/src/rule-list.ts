/**
 * Rule lists: an ordered list of small typed documents owned by a site or a module (DESIGN §3). One declaration gives
 * the four calls; what is particular to a kind is its schema, its columns in the console and its guard on the edge.
 */
import { z } from 'zod'
import { type Endpoint, endpoint } from './endpoint.ts'
import { Memo, MomentText, Priority, RuleMode } from './fields.ts'
import { Ids, type Page, Paging, pageOf } from './paging.ts'
import type { Permission } from './permissions.ts'

/** What every rule has beside its own fields. */
export const RuleMeta = z.object({
  enabled: z.boolean().default(true),
  mode: RuleMode.default('enforce'),
  memo: Memo.default(''),
  /** When the rule stops by itself; null for never. */
  expiresAt: z.iso.datetime({ offset: true }).nullable().default(null),
})
export type RuleMeta = z.output<typeof RuleMeta>

const Stored = z.object({ id: z.number().int(), createdAt: MomentText, updatedAt: MomentText, createdBy: z.string() })
export type StoredRule<Item> = Item & z.output<typeof Stored>

type Options<Item extends z.ZodObject> = {
  /** `site.firewall.l7.secondRate`: ids of the calls are derived from it, with the plural for three of them. */
  ids: { one: string; many: string }
  paths: { one: string; many: string }
  item: Item
  read: Permission
  write: Permission
  /** The most rules of this kind that one owner may have (101029). */
  max: number
  /** Whether the specification has these calls. */
  beyond?: boolean
  /** What a rule is called in a sentence. */
  noun: string
  /** Two rules of one owner with the same key are refused (101025). */
  uniqueKey?: (item: z.output<Item>) => string
}

export type RuleList<Item extends z.ZodObject = z.ZodObject> = {
  kind: string
  item: Item
  max: number
  uniqueKey: ((item: z.output<Item>) => string) | undefined
  calls: {
    list: Endpoint<'/:tier/site/:siteId/', Paging, undefined, undefined, Page<StoredRule<z.output<Item>>>>
    create: Endpoint<'/:tier/site/:siteId/', undefined, z.input<Item>, z.output<Item>, { id: number }>
    update: Endpoint<
      '/:tier/site/:siteId/',
      undefined,
      z.input<Item> & { id: number },
      z.output<Item> & { id: number },
      void
    >
    remove: Endpoint<'/:tier/site/:siteId/', undefined, { ids: number[] }, { ids: number[] }, void>
    switch: Endpoint<'/:tier/site/:siteId/', undefined, RuleSwitch, RuleSwitch, void>
  }
}

/** A list of which the rules are asked one after the other: its rules have a `priority`, and can be moved. */
export type OrderedRuleList<Item extends z.ZodObject = z.ZodObject> = RuleList<Item> & {
  calls: { move: Endpoint<'/:tier/site/:siteId/', undefined, RuleMove, RuleMove, void> }
}

/** What is said of several rules at once; what is left out stays as it is. */
export const RuleSwitch = Ids.extend({ enabled: z.boolean().optional(), mode: RuleMode.optional() }).refine(
  ({ enabled, mode }) => enabled !== undefined || mode !== undefined,
  { message: 'required', path: ['enabled'] },
)
export type RuleSwitch = z.output<typeof RuleSwitch>

export const RuleMove = z.strictObject({
  id: z.number().int().positive(),
  to: z.number().int().min(0).max(1000).describe('Its place from then on; 0 is asked first.'),
})
export type RuleMove = z.output<typeof RuleMove>

/** A rule list, with the call that moves one of its rules to another place. */
export function orderedRuleList<Item extends z.ZodObject<{ priority: z.ZodType<number> }>>(
  kind: string,
  options: Options<Item>,
): OrderedRuleList<Item> {
  const { ids, paths, write, noun } = options
  const list = ruleList(kind, options)
  const last = Priority.optional().describe('Left out, the rule comes after all others.')
  const create = { ...list.calls.create, body: z.strictObject({ ...options.item.shape, priority: last }) }
  const move = endpoint(`${ids.many}.move`, 'PUT', `/:tier/site/:siteId/${paths.many}/order`, {
    can: write,
    audit: `${ids.one}.move`,
    body: RuleMove,
    beyond: true,
    summary: `Moves a ${noun} to another place in the order. Priorities follow: of as few ${noun}s as can be.`,
  })
  return { ...list, calls: { ...list.calls, create, move } } as unknown as OrderedRuleList<Item>
}

/** Declares the list, create, update and remove calls of one kind of rule below `/:tier/site/:siteId/`. */
export function ruleList<Item extends z.ZodObject>(kind: string, options: Options<Item>): RuleList<Item> {
  const { ids, paths, item, read, write, noun, beyond = false } = options
  const many = `/:tier/site/:siteId/${paths.many}`
  const one = `/:tier/site/:siteId/${paths.one}`
  const row = item.extend(Stored.shape)
  const calls = {
    list: endpoint(`${ids.many}.list`, 'GET', many, {
      can: read,
      query: Paging,
      reply: pageOf(row),
      kind: 'list',
      beyond,
      summary: `Lists the ${noun}s of a site.`,
    }),
    create: endpoint(`${ids.many}.create`, 'POST', many, {
      can: write,
      audit: `${ids.one}.create`,
      body: z.strictObject(item.shape),
      reply: z.object({ id: z.number().int() }),
      beyond,
      summary: `Adds a ${noun}.`,
    }),
    update: endpoint(`${ids.one}.update`, 'PUT', one, {
      can: write,
      audit: `${ids.one}.update`,
      body: z.strictObject({ id: z.number().int().positive(), ...item.shape }),
      beyond,
      summary: `Changes a ${noun}.`,
    }),
    remove: endpoint(`${ids.many}.remove`, 'DELETE', many, {
      can: write,
      audit: `${ids.one}.remove`,
      body: Ids,
      beyond,
      summary: `Removes ${noun}s.`,
    }),
    switch: endpoint(`${ids.many}.switch`, 'PUT', many, {
      can: write,
      audit: `${ids.one}.update`,
      body: RuleSwitch,
      beyond: true,
      summary: `Enables, disables, enforces or observes several ${noun}s in one revision: all of them, or none.`,
    }),
  }
  return {
    kind,
    item,
    max: options.max,
    uniqueKey: options.uniqueKey,
    calls: calls as unknown as RuleList<Item>['calls'],
  }
}
