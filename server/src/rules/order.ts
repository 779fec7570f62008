/**
 * Moves one rule of a list: which priorities must change so that it gets its new position and the others keep their
 * order.
 */
import { Fault } from '../http/fault.ts'

type Place = { id: number; sort: number }

/** The largest priority that a rule may have. */
const sortMax = 1_000_000

const isBefore = (a: Place, b: Place) => a.sort < b.sort || (a.sort === b.sort && a.id < b.id)
/** The priority of a rule without a given one, if the rules before it allow it. */
const sortUsual = 100

/** The priority of a new rule that comes after all others; `last` is the largest priority among them. */
export function sortOfLast(last: number | null): number {
  return Math.max(sortUsual, last ?? 0)
}

/** The smallest priority with which a rule comes after another. */
const justAfter = (id: number, other: Place) => (id > other.id ? other.sort : other.sort + 1)

/**
 * `places` are ordered by priority and then by id. Returns the rules whose priority changes: usually only the moved
 * one; those behind it only as far as there is no room between its neighbours.
 */
export function placesAfter(places: readonly Place[], id: number, to: number): Place[] {
  const others = places.filter((place) => place.id !== id)
  const at = Math.min(to, others.length)
  if (places[at]?.id === id) return []
  const [before, after] = [others[at - 1], others[at]]
  // Before the first one, and after the last, leave a gap of one for the next move.
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
