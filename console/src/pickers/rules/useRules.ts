/** One kind of rule of a site or of one of its domains: its list, its open drawer, and what one may do with it. */
import { logExplorer } from '@breakwater/contract/logs/explorer.ts'
import type { Page } from '@breakwater/contract/paging.ts'
import type { Permission } from '@breakwater/contract/permissions.ts'
import type { OrderedRuleList, RuleMeta } from '@breakwater/contract/rule-list.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import type { z } from 'zod'
import type { RuleActions, RuleHits, RuleRow } from '../../kit/RuleTable.tsx'
import { send } from '../../platform/browser.ts'
import { useCall, useChange } from '../../platform/calls.ts'
import type { Fault } from '../../platform/fault.ts'
import { useListState } from '../../platform/list-state.ts'
import { usePhrases } from '../../platform/phrases.ts'
import type { RuleFields } from '../../platform/rule-kinds.ts'
import { ListSearch } from '../../platform/search-state.ts'
import { useMay } from '../../platform/session.ts'
import { toasts } from '../../platform/toasts.ts'

/** Every kind is one shape here; its own fields matter to its sentence and to its form. */
type Item = z.ZodObject<(typeof RuleMeta)['shape']>
export type SiteRule = RuleRow & RuleFields
export type Rules = ReturnType<typeof useRules>

/** Kinds that leave nothing in the log. */
const unlogged: readonly string[] = ['cacheRules', 'bandwidthLimits']
/** No list of rules is longer than this. */
const wholeListMax = 500

/** `domainId` where the rules are a domain's. */
export function useRules(list: { kind: string }, siteId: number, name: string, can: Permission, domainId?: number) {
  const of = domainId === undefined ? { siteId } : { siteId, domainId }
  const t = usePhrases('rules')
  const mayWrite = useMay()(can)
  const [state, go] = useListState(name, ListSearch)
  const { page, pageSize, edit } = state
  const { calls, kind, has, max } = list as OrderedRuleList<Item>
  const call = useCall(calls.list, { ...of, query: { page, pageSize } }) as UseQueryResult<Page<SiteRule>, Fault>
  const adding = useChange(calls.create, calls.list)
  const changing = useChange(calls.update, calls.list)
  const removing = useChange(calls.remove, calls.list)
  const switching = useChange(calls.switch, calls.list)
  // Not every list has an order.
  const moving = useChange(calls.move ?? calls.update, calls.list)

  const onPage = call.data?.data.find(({ id }) => id === edit)
  // A link may name a rule of another page.
  const all = useCall(
    calls.list,
    { ...of, query: { page: 1, pageSize: wholeListMax } },
    { enabled: typeof edit === 'number' && call.isSuccess && !onPage && (call.data?.total ?? 0) > pageSize },
  ) as UseQueryResult<Page<SiteRule>, Fault>
  const opened = onPage ?? all.data?.data.find(({ id }) => id === edit)
  /** Saves a new rule, or a change of the rule as it was read at `basedOn`. */
  const save = async (body: RuleMeta, target?: { id: number; basedOn: string }): Promise<void> => {
    if (target) return changing.mutateAsync({ ...of, body: { ...body, ...target } })
    const { sameAs } = await adding.mutateAsync({ ...of, body })
    if (sameAs !== null) toasts.info(t('sameAs', { id: sameAs }))
  }
  const readPage = (at: number, size: number) =>
    send(calls.list, { ...of, query: { page: at, pageSize: size } }) as Promise<Page<SiteRule>>
  /** The rule as it is saved now; nothing where it is gone. */
  const readNow = async (id: number) => (await readPage(1, wholeListMax)).data.find((rule) => rule.id === id)
  const actions: RuleActions<SiteRule> = {
    set: (ids, patch) => switching.mutateAsync({ ...of, body: { ids, ...patch } }),
    remove: (ids) => removing.mutateAsync({ ...of, body: { ids } }),
    ...(calls.move
      ? { move: ({ id }: SiteRule, to: number) => moving.mutateAsync({ ...of, body: { id, to } as never }) }
      : {}),
  }
  const open = (rule?: object) => go({ edit: 'new', ...(rule ? { rule } : {}) } as Partial<ListSearch>)
  return {
    siteId,
    domainId,
    kind,
    name,
    state,
    go,
    call,
    /** How many rules there are, of the most that the list takes. */
    room: { total: call.data?.total, max },
    readPage,
    readNow,
    mayWrite,
    actions: mayWrite ? actions : {},
    /** Whether its rules can observe, and end by themselves. */
    hasMode: has.mode,
    hits: useHits(siteId, kind, call.data?.data),
    opened,
    /** Whether a rule's drawer is open, and which: a key for it. */
    edit: edit === 'new' || opened ? edit : undefined,
    /** Opens the drawer of a new rule, begun with some of its fields. */
    open,
    close: () => go({ edit: undefined }),
    save,
  }
}

/**
 * Requests of the last 24 hours that each rule of the page decided or observed, and when. It is one question to the log, of this
 * site and these rules only, asked once a visit; guards that leave nothing in the log, and people who may not read it, have none.
 */
function useHits(siteId: number, kind: string, rules: readonly { id: number }[] | undefined) {
  const may = useMay()('logs.read')
  const ruleIDs = rules?.map(({ id }) => id) ?? []
  const isCounted = may && !unlogged.includes(kind)
  const body = { siteID: siteId, ruleIDs }
  const { data } = useCall(logExplorer.ruleHours, { body }, { enabled: isCounted && ruleIDs.length > 0 })
  if (!isCounted) return undefined
  // The column is there at once, so that the others do not move when the numbers come.
  if (!data) return null
  return new Map<number, RuleHits>(data.map((one) => [one.id, one]))
}
