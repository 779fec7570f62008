/** How every list is requested and returned. */
import { z } from 'zod'
import { Id, SortOrder } from './fields.ts'

/** Values of a query parameter that may be given once, repeated, or separated by commas. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.split(',').filter((part) => part !== '') : value),
    z.array(item),
  )

/** The largest page size. A time series may have `timeSeriesPageSizeMax` points per page (93 days of 5 minutes). */
export const pageSizeMax = 500
export const timeSeriesPageSizeMax = 26_784

const wholeNumber = z.coerce.number().int()

/** Page and size. Out of range is an error (101003), never a silent clamp. */
export const Paging = z.strictObject({
  page: wholeNumber.min(1).max(1_000_000).default(1),
  pageSize: wholeNumber.min(1).max(pageSizeMax).default(10),
})
export type Paging = z.output<typeof Paging>

/** Paging with a sort by one of the row's fields. */
export const sorted = <const Fields extends readonly [string, ...string[]]>(...fields: Fields) =>
  Paging.extend({ sortBy: z.enum(fields).optional(), orderBy: SortOrder.default('desc') })

export const pageOf = <T extends z.ZodType>(row: T) => z.object({ data: z.array(row), total: z.number().int() })
export type Page<T> = { data: T[]; total: number }

/** The reply to a call that created several items: their ids, in the order in which the items were sent. */
export const MadeIds = z.object({ ids: z.array(z.number().int()) })

/** The body of a bulk removal. */
export const Ids = z.strictObject({
  ids: z.array(Id).min(1, 'required').max(1000, 'itemsExceedLimit'),
})
