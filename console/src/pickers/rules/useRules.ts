/** One kind of rule of a site: its list, its open drawer, and what one may do with it. */
import { logExplorer } from '@breakwater/contract/logs/explorer.ts'
import type { Page } from '@breakwater/contract/paging.ts'
import type { Permission } from '@breakwater/contract/permissions.ts'
import type { OrderedRuleList, RuleMeta } from '@breakwater/contract/rule-list.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { send } from '../../app/browser.ts'
import { useCall, useChange } from '../../app/calls.ts'
import type { Fault } from '../../app/fault.ts'
import { useListState } from '../../app/list-state.ts'
import { ListSearch } from '../../app/search-state.ts'
import { useMay } from '../../app/session.ts'
import type { RuleActions, RuleRow } from '../../kit/RuleTable.tsx'
import { type RuleFields, type RuleKind, ruleKinds } from './rule-words.ts'

/** Every kind is one shape here; its own fields matter to its sentence and to its form. */
type Item = z.ZodObject<(typeof RuleMeta)['shape']>
export type SiteRule = RuleRow & RuleFields
export type Rules = ReturnType<typeof useRules>

const hourSeconds = 3600

export function useRules(list: { kind: string }, siteId: number, name: string, can: Permission) {
  const mayWrite = useMay()(can)
  const [state, go] = useListState(name, ListSearch)
  const { page, pageSize, edit } = state
  const { calls, kind } = list as OrderedRuleList<Item>
  const call = useCall(calls.list, { siteId, query: { page, pageSize } }) as UseQueryResult<Page<SiteRule>, Fault>
  const adding = useChange(calls.create, calls.list)
  const changing = useChange(calls.update, calls.list)
  const removing = useChange(calls.remove, calls.list)
  const switching = useChange(calls.switch, calls.list)
  // Not every list has an order.
  const moving = useChange(calls.move ?? calls.update, calls.list)

  const opened = call.data?.data.find(({ id }) => id === edit)
  const save = (body: RuleMeta): Promise<unknown> =>
    opened ? changing.mutateAsync({ siteId, body: { ...body, id: opened.id } }) : adding.mutateAsync({ siteId, body })
  const actions: RuleActions<SiteRule> = {
    set: (ids, patch) => switching.mutateAsync({ siteId, body: { ids, ...patch } }),
    remove: (ids) => removing.mutateAsync({ siteId, body: { ids } }),
    ...(calls.move
      ? { move: ({ id }: SiteRule, to: number) => moving.mutateAsync({ siteId, body: { id, to } as never }) }
      : {}),
  }
  const open = (rule?: object) => go({ edit: 'new', ...(rule ? { rule } : {}) } as Partial<ListSearch>)
  return {
    siteId,
    kind: ruleKinds.find((one) => one === kind) as RuleKind,
    name,
    state,
    go,
    call,
    readPage: (at: number, size: number) =>
      send(calls.list, { siteId, query: { page: at, pageSize: size } }) as Promise<Page<SiteRule>>,
    mayWrite,
    actions: mayWrite ? actions : {},
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
 * Requests of the last 24 hours that each rule of the page decided or observed. It is one question to the log, of this
 * site and these rules only, asked once a visit; guards that leave nothing in the log, and people who may not read it, have none.
 */
function useHits(siteId: number, kind: string, rules: readonly { id: number }[] | undefined) {
  const may = useMay()('logs.read')
  const [now] = useState(() => Math.floor(Date.now() / 1000))
  const ids = rules?.map(({ id }) => id) ?? []
  const isCounted = may && kind !== 'cacheRules'
  const body = {
    siteIDs: [siteId],
    rule: ids,
    startTime: now - 24 * hourSeconds,
    // What comes while the page is open is counted, too.
    endTime: now + hourSeconds,
    fields: ['rule' as const],
    top: 50,
  }
  const { data } = useCall(logExplorer.facets, { body }, { enabled: isCounted && ids.length > 0 })
  if (!isCounted) return undefined
  // The column is there at once, so that the others do not move when the numbers come.
  if (!data) return null
  return new Map(data[0]?.values.map(({ value, requests }) => [Number(value), requests]))
}
