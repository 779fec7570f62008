/** One kind of rule of a site or of one of its domains: its list, its open drawer, and the permitted actions. */
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

/** All kinds have the same shape here; only sentence and form depend on their own fields. */
type Item = z.ZodObject<(typeof RuleMeta)['shape']>
export type SiteRule = RuleRow & RuleFields
export type Rules = ReturnType<typeof useRules>

/** Kinds that are never logged. */
const unlogged: readonly string[] = ['cacheRules', 'bandwidthLimits']
/** The most rules that a list has. */
const wholeListMax = 500

/** `domainId` is set if the rules belong to a domain. */
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
  // Not every list is ordered.
  const moving = useChange(calls.move ?? calls.update, calls.list)

  const onPage = call.data?.data.find(({ id }) => id === edit)
  // A link may open a rule that is on another page.
  const all = useCall(
    calls.list,
    { ...of, query: { page: 1, pageSize: wholeListMax } },
    { enabled: typeof edit === 'number' && call.isSuccess && !onPage && (call.data?.total ?? 0) > pageSize },
  ) as UseQueryResult<Page<SiteRule>, Fault>
  const opened = onPage ?? all.data?.data.find(({ id }) => id === edit)
  /** Saves a new rule, or a change to the rule as read at `basedOn`. */
  const save = async (body: RuleMeta, target?: { id: number; basedOn: string }): Promise<void> => {
    if (target) return changing.mutateAsync({ ...of, body: { ...body, ...target } })
    const { sameAs } = await adding.mutateAsync({ ...of, body })
    if (sameAs !== null) toasts.info(t('sameAs', { id: sameAs }))
  }
  const readPage = (at: number, size: number) =>
    send(calls.list, { ...of, query: { page: at, pageSize: size } }) as Promise<Page<SiteRule>>
  /** Fetches the rule as currently saved; undefined if it was deleted. */
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
    /** How many rules there are, out of the maximum of the list. */
    room: { total: call.data?.total, max },
    readPage,
    readNow,
    mayWrite,
    actions: mayWrite ? actions : {},
    /** Whether its rules can observe, and can expire. */
    hasMode: has.mode,
    hits: useHits(siteId, kind, call.data?.data),
    opened,
    /** Which drawer is open, if any: serves as its React key. */
    edit: edit === 'new' || opened ? edit : undefined,
    /** Opens the drawer for a new rule, prefilled with some of its fields. */
    open,
    close: () => go({ edit: undefined }),
    save,
  }
}

/**
 * Requests of the last 24 hours that each rule of the page decided or observed, by hour. A single log query for this
 * site and these rules, once per visit; none for guards that are not logged or without permission to read the log.
 */
function useHits(siteId: number, kind: string, rules: readonly { id: number }[] | undefined) {
  const may = useMay()('logs.read')
  const ruleIDs = rules?.map(({ id }) => id) ?? []
  const isCounted = may && !unlogged.includes(kind)
  const body = { siteID: siteId, ruleIDs }
  const { data } = useCall(logExplorer.ruleHours, { body }, { enabled: isCounted && ruleIDs.length > 0 })
  if (!isCounted) return undefined
  // The column is there at once, so that the others do not move when the numbers arrive.
  if (!data) return null
  return new Map<number, RuleHits>(data.map((one) => [one.id, one]))
}
