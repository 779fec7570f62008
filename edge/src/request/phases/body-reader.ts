/** Reads a response body piece by piece: the raw bytes of each piece, and the text in it. */
import type { Framing } from '../lib/answer-framing.ts'

const pieceBytes = 65_536
const trailersMax = 100

export type Piece = { raw: string; text: string; isLast: boolean }

/** Returns undefined if the body broke off. A body that ends with its connection ends with an empty piece. */
export type BodyReader = (this: void) => Piece | undefined

export function bodyReader(from: TcpSocket, body: Framing['body']): BodyReader {
  if (body === 'chunked') return chunkReader(from)
  if (body === 'close')
    return () => {
      const [piece] = from.receiveany(pieceBytes)
      return piece === undefined ? { raw: '', text: '', isLast: true } : { raw: piece, text: piece, isLast: false }
    }
  let left = body
  return () => {
    const [piece] = from.receiveany(math.min(left, pieceBytes))
    if (piece === undefined) return undefined
    left -= piece.length
    return { raw: piece, text: piece, isLast: left === 0 }
  }
}

function chunkReader(from: TcpSocket): BodyReader {
  /** Bytes left of the current chunk, including the line break after it. */
  let left = 0
  return () => {
    let head = ''
    if (left === 0) {
      const [line] = from.receive('*l')
      if (line === undefined) return undefined
      const [digits] = string.match(line, '^%s*(%x+)')
      if (digits === undefined || digits.length > 13) return undefined
      head = `${line}\r\n`
      left = tonumber(digits, 16)! + 2
      if (left === 2) return lastPiece(from, head)
    }
    const [piece] = from.receiveany(math.min(left, pieceBytes))
    if (piece === undefined) return undefined
    const text = piece.substring(0, math.max(0, left - 2))
    left -= piece.length
    return { raw: head + piece, text, isLast: false }
  }
}

/** Reads the last chunk and the trailers after it. */
function lastPiece(from: TcpSocket, head: string): Piece | undefined {
  let raw = head
  for (let n = 0; n < trailersMax; n++) {
    const [line] = from.receive('*l')
    if (line === undefined) return undefined
    raw += `${line}\r\n`
    if (line === '') return { raw, text: '', isLast: true }
  }
  return undefined
}
