/** What of an address a saved view keeps: what was asked, not where one stood. */

/** Which tab of which object, which page of the list, what is open. */
const places = new Set(['tab', 'site', 'zone', 'view', 'page', 'edit'])

const pick = (search: Readonly<Record<string, unknown>>, wanted: (name: string) => boolean) =>
  Object.fromEntries(
    Object.entries(search)
      .filter(([name, value]) => wanted(name) && value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** Filters, sort and size, in an order that can be compared. */
export const inView = (search: Readonly<Record<string, unknown>>) => pick(search, (name) => !places.has(name))

/** Where one stays when a view is shown: at the same object, on the first page. */
export const placeOf = (search: Readonly<Record<string, unknown>>) =>
  pick(search, (name) => places.has(name) && name !== 'page' && name !== 'edit')
