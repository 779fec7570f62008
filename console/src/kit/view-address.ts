/** The part of the search parameters that a saved view keeps: the query, not the current position. */

/** The object and its tab, the page of the list, the open drawer. */
const places = new Set(['tab', 'site', 'zone', 'view', 'page', 'edit'])

const pick = (search: Readonly<Record<string, unknown>>, wanted: (name: string) => boolean) =>
  Object.fromEntries(
    Object.entries(search)
      .filter(([name, value]) => wanted(name) && value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** Filters, sort order and page size, in an order that can be compared. */
export const inView = (search: Readonly<Record<string, unknown>>) => pick(search, (name) => !places.has(name))

/** The position that stays when a view is shown: the same object, on the first page. */
export const placeOf = (search: Readonly<Record<string, unknown>>) =>
  pick(search, (name) => places.has(name) && name !== 'page' && name !== 'edit')
