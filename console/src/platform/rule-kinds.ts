/**
 * The kinds of rules, as sentences. An area brings its kinds in `rule-kinds.ts`; the list, the editor, the history, Explain
 * and the audit log then say them alike, and no file lists them.
 */
import type { Frequency } from '@breakwater/contract/firewall/frequencies.ts'
import { use } from 'react'
import type { Format } from './format.ts'
import type { Title } from './locale.ts'
import type { Say } from './phrases.ts'

/** A rule's own fields, as a list, a revision or an audit entry has them: of another version of the program, too. */
export type RuleFields = Readonly<Record<string, unknown>>

/** What a kind makes its sentences with. Values that a person wrote come out marked (`kit/Marked`). */
export type RuleSay = {
  /** The words that kinds share. */
  t: Say<'rules'>
  format: Format
  /** A text of the kind's own in the chosen language, with values in its places. */
  text: (text: Title, values?: Record<string, string | number>) => string
  value: (text: string) => string
  /** A field that holds a list: its first values, and how many there are. */
  list: (value: unknown) => string
  /** A country by its code. */
  countryName: (code: string) => string
  /** A trigger frequency of the operator's by its id; nothing where the page has not asked for them. */
  frequency: (id: number) => Frequency | undefined
  /** A protection mode by its number. */
  blockTypeName: (type: number) => string
}

export type RuleKind = {
  name: Title
  /** The tab of a site on which its rules are. */
  tab?: string
  /** The names of the fields that only this kind has. */
  fields: Readonly<Record<string, Title>>
  /** A field's value as the sentences of its changes say it; nothing for what others say as well. */
  shown?: (field: string, value: unknown, say: RuleSay) => unknown
  /** When it acts: conditions that must all be met. */
  when: (rule: RuleFields, say: RuleSay) => string[]
  /** What it does then. */
  does: (rule: RuleFields, say: RuleSay) => string
}
export type RuleKinds = Readonly<Record<string, RuleKind>>

type Load = () => Promise<{ ruleKinds: RuleKinds }>
let loads: readonly Load[] = []
let kinds: Promise<RuleKinds> | undefined

/** Called once at the start, by what knows all areas. */
export function provideRuleKinds(all: readonly Load[]): void {
  loads = all
}

/** All kinds, by the name of their list. The promise stays the same, so that `use` may read it while rendering. */
export function loadRuleKinds(): Promise<RuleKinds> {
  if (kinds) return kinds
  const loading = Promise.all(loads.map((load) => load())).then(
    (files): RuleKinds => Object.assign({}, ...files.map((file) => file.ruleKinds)),
  )
  kinds = loading
  loading.then(
    // As React marks promises that it has waited for: `use` then reads at once.
    (value) => Object.assign(loading, { status: 'fulfilled', value }),
    // A chunk that did not arrive is asked for again next time.
    () => {
      kinds = undefined
    },
  )
  return loading
}

export const useRuleKinds = (): RuleKinds => use(loadRuleKinds())
