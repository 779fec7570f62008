/**
 * The ids of long-running server tasks of this tab, kept until each is over, so that they are still followed after a
 * reload.
 */
const key = (name: string) => `breakwater.pending.${name}`

export const keepPending = (name: string, id: number): void => sessionStorage.setItem(key(name), String(id))

export const dropPending = (name: string): void => sessionStorage.removeItem(key(name))

/** Returns the id under a name; undefined if no task is running. */
export function pendingAt(name: string): number | undefined {
  const id = Number(sessionStorage.getItem(key(name)))
  return Number.isInteger(id) && id > 0 ? id : undefined
}
