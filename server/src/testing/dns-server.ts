/** A DNS server of a test's own: answers what it was told, and that there is no such name for the rest. */
import { createSocket } from 'node:dgram'

const types = { A: 1, CNAME: 5, TXT: 16 } as const
type Type = keyof typeof types

export type DnsServerUnderTest = {
  /** `address:port`, as `BREAKWATER_DNS_SERVERS` takes it. */
  at: string
  /** From now on a name has this record of the type. */
  set: (name: string, type: Type, value: string) => void
  stop: () => Promise<void>
}

const headBytes = 12
const noSuchName = 3

/** A name on the wire: each label after its length, ended by none. */
const wireName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]),
    Buffer.from([0]),
  ])

const wireValue: Record<Type, (value: string) => Buffer> = {
  A: (value) => Buffer.from(value.split('.').map(Number)),
  CNAME: wireName,
  TXT: (value) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]),
}

/** The one question of a message: its name, its type, and where it ends. */
function questionOf(message: Buffer) {
  const labels: string[] = []
  let at = headBytes
  for (let size = message[at]!; size > 0; size = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + size))
    at += 1 + size
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

export async function startDnsServer(): Promise<DnsServerUnderTest> {
  const records = new Map<string, string>()
  const socket = createSocket('udp4')
  socket.on('message', (message, { address, port }) => {
    const { name, type, end } = questionOf(message)
    const known = (Object.keys(types) as Type[]).find((one) => types[one] === type)
    const value = known && records.get(`${name} ${known}`)
    const head = Buffer.alloc(headBytes)
    message.copy(head, 0, 0, 2)
    head.writeUInt16BE(0x8580 | (value === undefined ? noSuchName : 0), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(value === undefined ? 0 : 1, 6)
    const parts: Uint8Array[] = [head, message.subarray(headBytes, end)]
    if (known && value !== undefined) {
      const data = wireValue[known](value)
      const answer = Buffer.alloc(12)
      // The name is that of the question; it may be kept for no time.
      answer.writeUInt16BE(0xc000 | headBytes, 0)
      answer.writeUInt16BE(type, 2)
      answer.writeUInt16BE(1, 4)
      answer.writeUInt16BE(data.length, 10)
      parts.push(answer, data)
    }
    socket.send(Buffer.concat(parts), port, address)
  })
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  return {
    at: `127.0.0.1:${socket.address().port}`,
    set: (name, type, value) => records.set(`${name.toLowerCase()} ${type}`, value),
    stop: () => new Promise((done) => socket.close(() => done())),
  }
}
