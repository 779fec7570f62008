import { expect, test } from 'vitest'
import { placesAfter } from './order.ts'

const inOrder = (places: { id: number; sort: number }[]) => [...places].sort((a, b) => a.sort - b.sort || a.id - b.id)

test('every move of every rule gives the requested order', () => {
  const lists = [
    [100, 100, 100, 100, 100],
    [0, 0, 0, 1, 1],
    [1, 5, 9, 100, 100],
    [10, 20, 30, 40, 50],
  ]
  for (const sorts of lists) {
    // Ids that do not increase with the position, as after earlier moves.
    const places = inOrder(sorts.map((sort, index) => ({ id: [4, 2, 5, 1, 3][index]!, sort })))
    for (const [from, { id }] of places.entries()) {
      for (let to = 0; to < places.length; to += 1) {
        const changed = new Map(placesAfter(places, id, to).map((place) => [place.id, place.sort]))
        const after = inOrder(places.map((place) => ({ ...place, sort: changed.get(place.id) ?? place.sort })))
        const wanted = places.map((place) => place.id)
        wanted.splice(to, 0, ...wanted.splice(from, 1))
        expect(
          after.map((place) => place.id),
          JSON.stringify({ places, id, to }),
        ).toEqual(wanted)
      }
    }
  }
})

test('if there is room, only the moved rule changes', () => {
  const places = [10, 20, 30, 40].map((sort, index) => ({ id: index + 1, sort }))
  expect(placesAfter(places, 4, 1)).toEqual([{ id: 4, sort: 10 }])
  expect(placesAfter(places, 1, 99)).toEqual([{ id: 1, sort: 41 }])
  expect(placesAfter(places, 2, 1)).toEqual([])
})
