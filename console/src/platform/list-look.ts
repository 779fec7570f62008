/** A person's preferences for a list: which columns, in which order, how dense, how many rows per page. */
import { z } from 'zod'
import { useRemembered } from './remembered.ts'
import { widePageSizes } from './search-state.ts'

export const densities = ['compact', 'normal', 'roomy'] as const
export type Density = (typeof densities)[number]
/** The height of a row. */
export const rowHeights: Record<Density, string> = { compact: 'h-8', normal: 'h-[38px]', roomy: 'h-11' }

const ListLook = z.object({
  hidden: z.array(z.string()).catch([]),
  /** Keys in the chosen order; columns that are not listed stay behind their neighbour. */
  order: z.array(z.string()).catch([]),
  density: z.enum(densities).catch('normal'),
  pageSize: z
    .literal([...widePageSizes])
    .optional()
    .catch(undefined),
})
export type ListLook = z.output<typeof ListLook>

export const useListLook = (list: string): [ListLook, (look: ListLook) => void] =>
  useRemembered(`list.${list}`, ListLook)

type Keyed = { key: string }

/** All columns in the chosen order. The first one names the row and stays first. */
export function arranged<C extends Keyed>(columns: readonly C[], { order }: Pick<ListLook, 'order'>): C[] {
  const [lead, ...rest] = columns
  if (!lead) return []
  const wanted = order.flatMap((key) => rest.find((column) => column.key === key) ?? [])
  const result = [lead, ...wanted]
  for (const [index, column] of rest.entries()) {
    if (result.includes(column)) continue
    const before = index === 0 ? lead : rest[index - 1]!
    result.splice(result.indexOf(before) + 1, 0, column)
  }
  return result
}

/** The visible columns. */
export const visible = <C extends Keyed>(columns: readonly C[], look: Pick<ListLook, 'order' | 'hidden'>): C[] =>
  arranged(columns, look).filter(({ key }, index) => index === 0 || !look.hidden.includes(key))
