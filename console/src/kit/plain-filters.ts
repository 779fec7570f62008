/** Chips of a list that can only be asked for *is*, one parameter of the address a field. */
import type { Filter } from './FilterBar.tsx'

type Value = string | readonly string[] | undefined

/** The chips of what is set. */
export const chipsOf = (state: Readonly<Record<string, unknown>>, fields: readonly string[]): Filter[] =>
  fields.flatMap((field) => {
    const value = state[field] as Value
    const values = typeof value === 'string' ? [value] : (value ?? [])
    return values.some((one) => one !== '') ? [{ field, not: false, values }] : []
  })

/** What the address becomes. A field that takes one value takes the last. */
export function patchOf<Field extends string, Many extends Field = never>(
  filters: readonly Filter[],
  fields: readonly Field[],
  many: readonly Many[] = [],
): Record<Exclude<Field, Many>, string> & Record<Many, string[]> & { page: number } {
  const patch: Record<string, unknown> = { page: 1 }
  for (const field of fields) {
    const values = filters.find((filter) => filter.field === field)?.values ?? []
    patch[field] = (many as readonly string[]).includes(field) ? [...values] : (values.at(-1) ?? '')
  }
  return patch as ReturnType<typeof patchOf<Field, Many>>
}
