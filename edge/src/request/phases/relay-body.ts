/** Passes bodies on as they arrive. */
import type { Framing } from '../lib/answer-framing.ts'

const pieceBytes = 65_536
/** Lines of trailers that are read at most. */
const trailersMax = 100

/** Passes data on until the sender has no more or the receiver accepts no more. Returns the number of bytes. */
export function pump(from: TcpSocket, to: TcpSocket): number {
  let count = 0
  for (;;) {
    const [piece] = from.receiveany(pieceBytes)
    if (piece === undefined) return count
    const [sent] = to.send(piece)
    if (sent === undefined) return count
    count += piece.length
  }
}

/** Passes on exactly `length` bytes. Returns whether all of them were received and sent. */
export function pumpExactly(from: TcpSocket, to: TcpSocket, length: number): boolean {
  let left = length
  while (left > 0) {
    const [piece] = from.receiveany(math.min(left, pieceBytes))
    if (piece === undefined) return false
    const [sent] = to.send(piece)
    if (sent === undefined) return false
    left -= piece.length
  }
  return true
}

function pumpChunks(from: TcpSocket, to: TcpSocket): boolean {
  for (;;) {
    const [line] = from.receive('*l')
    if (line === undefined) return false
    const [digits] = string.match(line, '^%s*(%x+)')
    const [sent] = to.send(`${line}\r\n`)
    if (digits === undefined || digits.length > 13 || sent === undefined) return false
    const size = tonumber(digits, 16)!
    if (size === 0) return pumpTrailers(from, to)
    if (!pumpExactly(from, to, size + 2)) return false
  }
}

function pumpTrailers(from: TcpSocket, to: TcpSocket): boolean {
  for (let n = 0; n < trailersMax; n++) {
    const [line] = from.receive('*l')
    if (line === undefined) return false
    const [sent] = to.send(`${line}\r\n`)
    if (sent === undefined) return false
    if (line === '') return true
  }
  return false
}

/** Passes on a response body. Returns whether it was complete, so that the connection can carry another response. */
export function passBody(from: TcpSocket, to: TcpSocket, { body }: Framing): boolean {
  if (body === 'chunked') return pumpChunks(from, to)
  if (body !== 'close') return pumpExactly(from, to, body)
  pump(from, to)
  return false
}
