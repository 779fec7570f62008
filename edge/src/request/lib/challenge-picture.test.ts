/** Pictures of codes and sliders: the answer is drawn where it should be, and no two pictures are alike. */
import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Bitmap, bmpHead, emptyBitmap, isSet, setPoint, stamp } from './bitmap.ts'
import { codePicture, makePictures } from './challenge-picture.ts'

const make = (count: number) => new Uint8Array(count)

/** The pixels in which two pictures differ when drawn with the same random numbers. */
function differences(draw: (picture: ReturnType<typeof makePictures>) => [() => Bitmap, () => Bitmap]) {
  const pictures = makePictures((count) => count >> 1, make)
  const [one, other] = draw(pictures).map((picture) => copyOf(picture()))
  return points(one!).filter(({ x, y }) => isSet(one!, x, y) !== isSet(other!, x, y))
}
const copyOf = ({ bytes, rowBytes, rows }: Bitmap): Bitmap => ({ bytes: (bytes as Uint8Array).slice(), rowBytes, rows })
const points = ({ rowBytes, rows }: Bitmap) =>
  Array.from({ length: rowBytes * 8 * rows }, (_, n) => ({ x: n % (rowBytes * 8), y: Math.floor(n / (rowBytes * 8)) }))

test('each digit looks different, and is drawn in its place', () => {
  for (let digit = 1; digit < 10; digit++) {
    const found = differences(({ code }) => [() => code('22222'), () => code(`22${digit === 2 ? 0 : digit}22`)])
    expect(found.length, `${digit}`).toBeGreaterThan(100)
    for (const { x } of found) expect(Math.abs(x - 144)).toBeLessThan(40)
  }
})

test('the ring is where the dot belongs', () => {
  const found = differences(({ slider }) => [() => slider(80, 60), () => slider(240, 140)])
  const near = (x: number, y: number) => found.filter((point) => Math.hypot(point.x - x, point.y - y) <= 14).length
  expect(near(40, 30)).toBeGreaterThan(40)
  expect(near(120, 70)).toBeGreaterThan(40)
  expect(near(40, 30) + near(120, 70)).toBe(found.length)
})

test('the same code is drawn differently each time', () => {
  const { code } = makePictures((count) => randomInt(count), make)
  const drawn = Array.from({ length: 12 }, () => copyOf(code('13579')))
  for (let n = 1; n < drawn.length; n++) {
    const [one, other] = [drawn[n - 1]!, drawn[n]!]
    const differing = points(one).filter(({ x, y }) => isSet(one, x, y) !== isSet(other, x, y))
    expect(differing.length / (codePicture.rowBytes * 8 * codePicture.rows)).toBeGreaterThan(0.1)
  }
})

test('a small picture is copied pixel by pixel, and clipped at the edges', () => {
  const small = emptyBitmap(2, 5, make)
  for (const [x, y] of [
    [0, 0],
    [15, 0],
    [7, 2],
    [8, 2],
    [3, 4],
  ] as const)
    setPoint(small, x, y)
  for (const [x, y] of [
    [3, 1],
    [-5, -2],
    [20, 4],
    [27, 0],
    [8, 7],
    [-30, 0],
    [0, 30],
  ] as const) {
    const [onto, expected] = [emptyBitmap(4, 8, make), emptyBitmap(4, 8, make)]
    stamp(onto, small, x, y)
    for (const point of points(small)) if (isSet(small, point.x, point.y)) setPoint(expected, point.x + x, point.y + y)
    expect(onto.bytes, `${x},${y}`).toEqual(expected.bytes)
  }
})

test('the header of a picture contains its size (BITMAPFILEHEADER, BITMAPINFOHEADER)', () => {
  const head = Buffer.from(bmpHead(36, 80), 'latin1')
  expect(head.length).toBe(62)
  expect([head.toString('latin1', 0, 2), head.readUInt32LE(2), head.readUInt32LE(10)]).toEqual(['BM', 62 + 2880, 62])
  expect([head.readInt32LE(18), head.readInt32LE(22), head.readUInt16LE(28)]).toEqual([288, -80, 1])
})
