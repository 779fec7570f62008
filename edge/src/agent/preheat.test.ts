import { expect, test } from 'vitest'
import { nextUrl, type WaitingUrl } from './preheat.ts'

const url = (id: number, site: number): WaitingUrl => ({ id, site, url: `http://site${site}.test/${id}` })

test('a long list of one site does not delay another site', () => {
  const waiting = [url(1, 1), url(2, 1), url(3, 1), url(4, 2), url(5, 2)]
  const busy = new Map<number, WaitingUrl>()
  const begin = (fetched = new Set<number>()) => {
    const next = nextUrl(waiting, busy, fetched)
    if (next) busy.set(next.id, next)
    return next?.id
  }
  expect([begin(), begin(), begin(), begin()]).toEqual([1, 4, 2, 5])
  busy.delete(2)
  expect([begin(new Set([2])), begin(new Set([2]))]).toEqual([3, undefined])
})
