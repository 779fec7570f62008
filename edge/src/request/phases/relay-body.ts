/** Passes bodies on as they come. */
import type { Framing } from '../lib/answer-framing.ts'

const pieceBytes = 65_536
/** Trailers of an answer are read up to so many lines. */
const trailersMax = 100

/** Passes on what comes until there is no more, or nobody takes it. Returns how much it was, in bytes. */
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

/** Passes on so many bytes; whether all came, and were taken. */
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

/** Passes on an answer's body; whether it came to its end, so that another answer may follow. */
export function passBody(from: TcpSocket, to: TcpSocket, { body }: Framing): boolean {
  if (body === 'chunked') return pumpChunks(from, to)
  if (body !== 'close') return pumpExactly(from, to, body)
  pump(from, to)
  return false
}
