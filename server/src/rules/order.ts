/** Moving one rule of a list: which priorities change, so that it stands where it shall and the others stay as they are. */
import { Fault } from '../http/fault.ts'

type Place = { id: number; sort: number }

/** The largest priority that a rule may have. */
const sortMax = 1_000_000

const isBefore = (a: Place, b: Place) => a.sort < b.sort || (a.sort === b.sort && a.id < b.id)
/** What a rule gets that nobody gave a place, where those before it leave it one. */
const sortUsual = 100

/** The priority of a new rule that shall come after all others, of which `last` is the largest. */
export function sortOfLast(last: number | null): number {
  return Math.max(sortUsual, last ?? 0)
}

/** The smallest priority with which a rule comes after another. */
const justAfter = (id: number, other: Place) => (id > other.id ? other.sort : other.sort + 1)

/**
 * `places` in their order, which is by priority and then by id. Returns the rules that get another priority: mostly the
 * moved one alone; those behind it only as far as there is no room between its neighbours.
 */
export function placesAfter(places: readonly Place[], id: number, to: number): Place[] {
  const others = places.filter((place) => place.id !== id)
  const at = Math.min(to, others.length)
  if (places[at]?.id === id) return []
  const [before, after] = [others[at - 1], others[at]]
  // Before the first, and after the last, a step is left for the next one.
  const sort = before ? justAfter(id, before) : Math.max(0, (after?.sort ?? 0) - 1)
  let last: Place = { id, sort }
  const changed = [last]
  for (const place of others.slice(at)) {
    if (isBefore(last, place)) break
    last = { id: place.id, sort: justAfter(place.id, last) }
    changed.push(last)
  }
  if (last.sort > sortMax) throw new Fault('itemsExceedLimit', { max: sortMax })
  return changed
}
