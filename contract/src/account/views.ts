/** Saved views of a list, per account: filters, sort order and columns (console.md, T5). */
import { z } from 'zod'
import { endpoint, tiers } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'

/** The lists that have saved views. */
export const viewLists = ['domains', 'users', 'audit', 'logs'] as const
export type ViewList = (typeof viewLists)[number]

export const viewNameMax = 60
/** The most views per list. */
export const viewsMax = 50
/** The most characters of all views of one list together, as JSON. */
const viewsSizeMax = 32_768

const Text = z.string().max(2048, 'charactersExceedLimit')
const Column = z.string().max(60, 'charactersExceedLimit')

export const SavedView = z.strictObject({
  name: z.string().trim().min(1, 'required').max(viewNameMax, 'charactersExceedLimit'),
  /** The list's query parameters: filters, sort order, page size. */
  search: z.record(
    z.string().max(60, 'charactersExceedLimit'),
    z.union([Text, z.number(), z.boolean(), z.array(Text).max(100, 'itemsExceedLimit')]),
  ),
  /** Keys of the hidden columns, and of all columns in their order. */
  hidden: z.array(Column).max(100, 'itemsExceedLimit').default([]),
  order: z.array(Column).max(100, 'itemsExceedLimit').default([]),
})
export type SavedView = z.output<typeof SavedView>

const List = wordOf('ViewList', 'A list with saved views.', viewLists)

export const savedViews = {
  list: endpoint('account.views.list', 'GET', '/:tier/account/views', {
    tiers,
    can: 'signedIn',
    query: z.strictObject({ list: List }),
    reply: z.object({ views: z.array(SavedView) }),
    beyond: true,
    summary: 'Returns one’s own saved views of a list.',
  }),
  update: endpoint('account.views.update', 'PUT', '/:tier/account/views', {
    tiers,
    can: 'signedIn',
    personOnly: false,
    body: z.strictObject({
      list: List,
      views: z
        .array(SavedView)
        .max(viewsMax, 'itemsExceedLimit')
        .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'alreadyExists')
        .refine((all) => JSON.stringify(all).length <= viewsSizeMax, 'charactersExceedLimit'),
    }),
    beyond: true,
    summary: 'Saves one’s own views of a list. Views that are left out are removed.',
  }),
}
