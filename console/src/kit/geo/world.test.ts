import { expect, test } from 'vitest'
import { continents } from '../../platform/countries.ts'
import { mapSize, shapes } from './world.ts'

const codes = shapes.map(({ code }) => code).filter(Boolean)

test('every country has a code and one shape on the map, within its frame', () => {
  expect(new Set(codes).size).toBe(codes.length)
  expect(codes).toEqual(expect.arrayContaining(['US', 'TW', 'DE', 'SG', 'HK', 'XK', 'SS', 'SZ']))
  for (const { code, x, y, outline } of shapes) {
    expect(outline, code).not.toContain('NaN')
    expect(x > 0 && x < mapSize.width && y > 0 && y < mapSize.height, code).toBe(true)
  }
})

test('every country of the map is on one continent', () => {
  const listed: string[] = Object.values(continents).flat()
  expect(new Set(listed).size).toBe(listed.length)
  // The French Southern Territories belong to no continent.
  expect(codes.filter((code) => !listed.includes(code))).toEqual(['TF'])
})
