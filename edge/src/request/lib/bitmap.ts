/**
 * Bitmaps of one bit per pixel, made on the node: rows of whole bytes from the top, the leftmost pixel in the highest
 * bit.
 */

/** The bytes of a picture. Not an array: in Lua this is memory that the garbage collector need not scan. */
export interface Bytes {
  [at: number]: number
}

/** Allocates `count` bytes, all zero. */
export type MakeBytes = (this: void, count: number) => Bytes

export type Bitmap = { bytes: Bytes; rowBytes: number; rows: number }

export function emptyBitmap(rowBytes: number, rows: number, makeBytes: MakeBytes): Bitmap {
  return { bytes: makeBytes(rowBytes * rows), rowBytes, rows }
}

export function clear({ bytes, rowBytes, rows }: Bitmap): void {
  for (let at = 0; at < rowBytes * rows; at++) bytes[at] = 0
}

/** Sets a pixel; does nothing outside the picture. */
export function setPoint({ bytes, rowBytes, rows }: Bitmap, x: number, y: number): void {
  if (x < 0 || y < 0 || y >= rows || x >= rowBytes * 8) return
  const at = y * rowBytes + (x >>> 3)
  bytes[at] = bytes[at]! | (0x80 >>> (x & 7))
}

export const isSet = ({ bytes, rowBytes }: Bitmap, x: number, y: number): boolean =>
  (bytes[y * rowBytes + (x >>> 3)]! & (0x80 >>> (x & 7))) !== 0

/** Sets all pixels within a radius of a point. */
export function setDisc(bitmap: Bitmap, x: number, y: number, radius: number): void {
  for (let row = Math.ceil(y - radius); row <= y + radius; row++) {
    const half = Math.sqrt(Math.max(0, radius * radius - (row - y) * (row - y)))
    for (let column = Math.ceil(x - half); column <= x + half; column++) setPoint(bitmap, column, row)
  }
}

/**
 * Copies the set pixels of a small picture into another, with its upper left corner at `x,y`; what lies outside is
 * clipped.
 */
export function stamp(onto: Bitmap, small: Bitmap, x: number, y: number): void {
  const [shift, firstByte] = [x & 7, x >> 3]
  for (let row = Math.max(0, -y); row < small.rows && row + y < onto.rows; row++) {
    const [from, to] = [row * small.rowBytes, (row + y) * onto.rowBytes]
    let carried = 0
    for (let at = 0; at <= small.rowBytes; at++) {
      const byte = at < small.rowBytes ? small.bytes[from + at]! : 0
      const column = firstByte + at
      if (column >= 0 && column < onto.rowBytes) {
        onto.bytes[to + column] = onto.bytes[to + column]! | carried | (byte >>> shift)
      }
      carried = (byte << (8 - shift)) & 0xff
    }
  }
}

/** Inverts every pixel that is set in a mask of the same size. The mask is shifted by `rows` rows and wraps around. */
export function invertBy(bitmap: Bitmap, mask: Bitmap, rows = 0): void {
  const size = bitmap.rowBytes * bitmap.rows
  let from = rows * bitmap.rowBytes
  for (let at = 0; at < size; at++) {
    if (from >= size) from = 0
    bitmap.bytes[at] = bitmap.bytes[at]! ^ mask.bytes[from]!
    from++
  }
}

const littleEndian = (value: number): string =>
  String.fromCharCode(value & 255, (value >>> 8) & 255, (value >>> 16) & 255, (value >>> 24) & 255)

/**
 * The header of an uncompressed two-colour BMP (BITMAPINFOHEADER, with a negative height for rows from the top). The
 * rows follow it.
 */
export function bmpHead(rowBytes: number, rows: number): string {
  const [head, size] = [62, rowBytes * rows]
  const words = [head + size, 0, head, 40, rowBytes * 8, -rows, 0x0001_0001, 0, size, 2835, 2835, 2, 2]
  return `BM${words.map((word) => littleEndian(word)).join('')}${littleEndian(0x00ff_ffff)}${littleEndian(0x0033_2b24)}`
}
