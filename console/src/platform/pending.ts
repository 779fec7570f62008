/** What the server does for this tab and takes a while: its id, kept until it is over, so that a page that is loaded anew still follows it. */
const key = (name: string) => `breakwater.pending.${name}`

export const keepPending = (name: string, id: number): void => sessionStorage.setItem(key(name), String(id))

export const dropPending = (name: string): void => sessionStorage.removeItem(key(name))

/** The id under a name; nothing where nothing is under way. */
export function pendingAt(name: string): number | undefined {
  const id = Number(sessionStorage.getItem(key(name)))
  return Number.isInteger(id) && id > 0 ? id : undefined
}
