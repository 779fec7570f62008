/** Filters in the URL: `status:200`, and `-status:404` for all but that. */
import type { Filter } from './FilterBar.tsx'

const written = /^(-?)(\w+):(.+)$/s

/** Unreadable entries are skipped. */
export function readFilters(texts: readonly string[]): Filter[] {
  const filters: Filter[] = []
  for (const text of texts) {
    const match = written.exec(text)
    if (!match) continue
    const [, minus, field, value] = match
    const same = filters.find((filter) => filter.field === field && filter.not === (minus === '-'))
    if (same) filters.splice(filters.indexOf(same), 1, { ...same, values: [...same.values, value!] })
    else filters.push({ field: field!, not: minus === '-', values: [value!] })
  }
  return filters
}

export const writeFilters = (filters: readonly Filter[]): string[] =>
  filters.flatMap(({ field, not, values }) => values.map((value) => `${not ? '-' : ''}${field}:${value}`))
