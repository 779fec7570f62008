/**
 * The kinds of rules, as sentences. An area provides its kinds in `rule-kinds.ts`; the list, the editor, the history,
 * Explain and the audit log then describe them alike, and no central file lists them.
 */
import type { Frequency } from '@breakwater/contract/firewall/frequencies.ts'
import { use } from 'react'
import type { Format } from './format.ts'
import type { Title } from './locale.ts'
import type { Say } from './phrases.ts'

/**
 * A rule's own fields, from a list, a revision or an audit entry: possibly written by another version of the program.
 */
export type RuleFields = Readonly<Record<string, unknown>>

/** The helpers with which a kind builds its sentences. Values that a person wrote come out marked (`kit/Marked`). */
export type RuleSay = {
  /** The phrases that kinds share. */
  t: Say<'rules'>
  format: Format
  /** A text of the kind's own in the chosen language, with its placeholders filled in. */
  text: (text: Title, values?: Record<string, string | number>) => string
  value: (text: string) => string
  /** A field with a list: its first values, and how many there are. */
  list: (value: unknown) => string
  /** A country by its code. */
  countryName: (code: string) => string
  /** A trigger frequency of the operator by its id; undefined if the page has not loaded them. */
  frequency: (id: number) => Frequency | undefined
  /** A protection mode by its number. */
  blockTypeName: (type: number) => string
}

export type RuleKind = {
  name: Title
  /** The site tab that lists its rules. */
  tab?: string
  /** The names of the fields that only this kind has. */
  fields: Readonly<Record<string, Title>>
  /** A field's value for sentences about changes; undefined to use the common wording. */
  shown?: (field: string, value: unknown, say: RuleSay) => unknown
  /** When it applies: conditions that must all be met. */
  when: (rule: RuleFields, say: RuleSay) => string[]
  /** What it does. */
  does: (rule: RuleFields, say: RuleSay) => string
}
export type RuleKinds = Readonly<Record<string, RuleKind>>

type Load = () => Promise<{ ruleKinds: RuleKinds }>
let loads: readonly Load[] = []
let kinds: Promise<RuleKinds> | undefined

/** Called once at startup, by the module that knows all areas. */
export function provideRuleKinds(all: readonly Load[]): void {
  loads = all
}

/** All kinds, by the name of their list. The promise stays the same, so that `use` can read it while rendering. */
export function loadRuleKinds(): Promise<RuleKinds> {
  if (kinds) return kinds
  const loading = Promise.all(loads.map((load) => load())).then(
    (files): RuleKinds => Object.assign({}, ...files.map((file) => file.ruleKinds)),
  )
  kinds = loading
  loading.then(
    // Marked the way React marks promises that it has awaited: `use` then reads it at once.
    (value) => Object.assign(loading, { status: 'fulfilled', value }),
    // A chunk that failed to load is requested again next time.
    () => {
      kinds = undefined
    },
  )
  return loading
}

export const useRuleKinds = (): RuleKinds => use(loadRuleKinds())
