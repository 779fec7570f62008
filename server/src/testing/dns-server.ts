/**
 * DNS servers for tests: they answer with the records that they were given, and with NXDOMAIN for everything else. A
 * zone on one of them accepts signed updates.
 */
import { createSocket } from 'node:dgram'
import { type AddressInfo, createServer } from 'node:net'
import { signMessage, type TsigKey, verifyMessage } from '../dns/tsig.ts'
import { headBytes, recordClasses, recordTypes, wireMessage, wireName, wireRecord, wireText } from '../dns/wire.ts'

const types = ['A', 'CNAME', 'TXT', 'CAA'] as const
type Type = (typeof types)[number]

export type DnsServerUnderTest = {
  /** `address:port`, in the format of `BREAKWATER_DNS_SERVERS`. */
  at: string
  /** Sets the record of this type for a name. */
  set: (name: string, type: Type, value: string) => void
  /** Sets records of a name that are returned one after the other, one per query; the last one stays. */
  setInTurn: (name: string, type: Type, values: string[]) => void
  stop: () => Promise<void>
}

/** Accepts updates of TXT and address records over TCP, as BIND and Knot do, and serves them. */
export type ZoneUnderTest = {
  /** `address:port` */
  at: string
  /** The current TXT records, by name. */
  texts: Map<string, Set<string>>
  /** The current addresses, with their TTL, by name and type: `www.example.com A`. */
  addresses: Map<string, string[]>
  /** From now on updates are refused. */
  refuse: (isRefusing: boolean) => void
  /** The requested changes of TXT records: `+ name` and `- name`. */
  said: string[]
  stop: () => Promise<void>
}

const noSuchName = 3
const notAuthorised = 9
const notZone = 10
const refused = 5
const answerFlags = 0x8580
const updateAnswer = 0xa800

const wireValue: Record<Type, (value: string) => Buffer> = {
  A: (value) => Buffer.from(value.split('.').map(Number)),
  CNAME: wireName,
  TXT: wireText,
  // The issuer that CAA allows.
  CAA: (value) => Buffer.concat([Buffer.from([0, 5]), Buffer.from(`issue${value}`)]),
}

/** An uncompressed name, and the offset after it. */
function nameAt(message: Buffer, from: number) {
  const labels: string[] = []
  let at = from
  for (let size = message[at]!; size > 0; size = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + size))
    at += 1 + size
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

export async function startDnsServer(zone?: ZoneUnderTest): Promise<DnsServerUnderTest> {
  const records = new Map<string, string[]>()
  /** The records of a name, following its CNAME if it has one. */
  function answersOf(name: string, type: Type): Buffer[] {
    const values = records.get(`${name} ${type}`) ?? []
    const own = values.length > 1 ? [values.shift()!] : [...values]
    if (type === 'TXT') own.push(...(zone?.texts.get(name) ?? []))
    const alias = type === 'CNAME' ? undefined : records.get(`${name} CNAME`)?.[0]
    // The TTL is 0, so that nothing is cached.
    const made = (of: Type, value: string) =>
      wireRecord({
        name: wireName(name),
        type: recordTypes[of],
        class: recordClasses.IN,
        ttl: 0,
        data: wireValue[of](value),
      })
    return alias === undefined
      ? own.map((value) => made(type, value))
      : [made('CNAME', alias), ...answersOf(alias.toLowerCase(), type)]
  }
  const socket = createSocket('udp4')
  socket.on('message', (message, { address, port }) => {
    const { name, end } = nameAt(message, headBytes)
    const type = message.readUInt16BE(end)
    const known = types.find((one) => recordTypes[one] === type)
    const answers = known ? answersOf(name, known) : []
    const flags = answerFlags | (answers.length === 0 ? noSuchName : 0)
    const question = { name: message.subarray(headBytes, end), type }
    socket.send(wireMessage(message.readUInt16BE(0), flags, question, [answers, [], []]), port, address)
  })
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  return {
    at: `127.0.0.1:${socket.address().port}`,
    set: (name, type, value) => records.set(`${name.toLowerCase()} ${type}`, [value]),
    setInTurn: (name, type, values) => records.set(`${name.toLowerCase()} ${type}`, [...values]),
    stop: () => new Promise((done) => socket.close(() => done())),
  }
}

/** An address as text, IPv6 without abbreviation. */
const shown = (data: Buffer): string =>
  data.length === 4 ? [...data].join('.') : (data.toString('hex').match(/..../g) ?? []).join(':')

/** A name server that accepts updates signed with the key. */
export async function startZone(zone: string, key: TsigKey): Promise<ZoneUnderTest> {
  const texts = new Map<string, Set<string>>()
  const said: string[] = []

  const addresses = new Map<string, string[]>()
  let isRefusing = false

  /** Applies the records of an update. Returns the response code. */
  function take(message: Buffer): number {
    const asked = nameAt(message, headBytes)
    if (asked.name !== zone) return notZone
    if (isRefusing) return refused
    let from = asked.end + 4
    for (let left = message.readUInt16BE(8); left > 0; left -= 1) from = takeOne(message, from)
    return 0
  }

  /** Applies one record of an update. Returns the offset after it. */
  function takeOne(message: Buffer, from: number): number {
    const { name, end } = nameAt(message, from)
    const [type, of, ttl] = [message.readUInt16BE(end), message.readUInt16BE(end + 2), message.readUInt32BE(end + 4)]
    const data = message.subarray(end + 10, end + 10 + message.readUInt16BE(end + 8))
    if (type === recordTypes.TXT) takeText(name, of === recordClasses.IN, data.toString('utf8', 1, 1 + data[0]!))
    else {
      const key = `${name} ${type === recordTypes.A ? 'A' : 'AAAA'}`
      if (of === recordClasses.ANY) addresses.delete(key)
      else addresses.set(key, [...(addresses.get(key) ?? []), `${shown(data)} ${ttl}`])
    }
    return end + 10 + data.length
  }

  function takeText(name: string, isAdded: boolean, value: string): void {
    const values = texts.get(name) ?? new Set()
    texts.set(name, values)
    if (isAdded) values.add(value)
    else values.delete(value)
    said.push(`${isAdded ? '+' : '-'} ${name}`)
  }

  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes) => {
      const message = bytes.subarray(2)
      const seen = verifyMessage(message, key)
      const code = seen ? take(seen.message) : notAuthorised
      const question = { name: wireName(zone), type: recordTypes.SOA }
      const plain = wireMessage(message.readUInt16BE(0), updateAnswer | code, question, [[], [], []])
      const answer = seen ? signMessage(plain, key, Math.floor(Date.now() / 1000), seen.mac).message : plain
      socket.end(Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 255]), answer]))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    at: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ texts, said, addresses },
    refuse(is) {
      isRefusing = is
    },
    stop: () => new Promise((done) => server.close(() => done())),
  }
}
