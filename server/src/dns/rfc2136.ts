/**
 * Changes a zone by signed dynamic updates (RFC 2136) over TCP, as supported by BIND, Knot, NSD's hidden primaries and
 * PowerDNS.
 */
import { randomInt } from 'node:crypto'
import { connect, isIP } from 'node:net'
import type { OutboundGuard } from '../outbound/guard.ts'
import { DnsError, type DnsProvider } from './provider.ts'
import { signMessage, type TsigKey, verifyMessage } from './tsig.ts'
import { recordClasses, recordTypes, wireAddress, wireMessage, wireName, wireRecord, wireText } from './wire.ts'

const timeoutMs = 5_000
const updateOpcode = 5 << 11
/** The TTL of challenge records, which are needed for minutes. */
const ttlSeconds = 30

/** The names of response codes (RFC 1035, 2136, 8945). */
const answers = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED', 'YXDOMAIN', 'YXRRSET', 'NXRRSET']
const laterAnswers: Record<number, string> = { 9: 'NOTAUTH', 10: 'NOTZONE' }

type Server = { zone: string; server: string; key: TsigKey }

/** Parses `name`, `name:port`, an address, or an IPv6 address in brackets with a port. */
export function hostAndPort(text: string): { host: string; port: number } {
  if (isIP(text)) return { host: text, port: 53 }
  const [, host = text, port = '53'] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(text) ?? []
  return { host, port: Number(port) }
}

/** Throws a DnsError if the server is unavailable, refuses, or does not sign its response. */
async function update(guard: OutboundGuard, { zone, server, key }: Server, ...records: Buffer[]): Promise<void> {
  const plain = wireMessage(randomInt(65_536), updateOpcode, { name: wireName(zone), type: recordTypes.SOA }, [
    [],
    records,
    [],
  ])
  const { message, mac } = signMessage(plain, key, Math.floor(Date.now() / 1000))
  const { host, port } = hostAndPort(server)
  const [address] = await guard.resolve(host).catch(() => {
    throw new DnsError(`${host} does not resolve`)
  })
  if (address === undefined) throw new DnsError(`${host} may not be reached: it is no public address`)
  const reply = await exchange(address, port, message)
  const code = reply.readUInt16BE(2) & 15
  if (code !== 0) throw new DnsError(`${host} answered ${answers[code] ?? laterAnswers[code] ?? code}`)
  if (!verifyMessage(reply, key, mac)) throw new DnsError(`${host} did not sign its answer with the key`)
}

/** Sends one length-prefixed message and reads one back. */
function exchange(host: string, port: number, message: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: timeoutMs })
    let read = Buffer.alloc(0)
    socket.on('connect', () =>
      socket.write(Buffer.concat([Buffer.from([message.length >> 8, message.length & 255]), message])),
    )
    socket.on('data', (bytes) => {
      read = Buffer.concat([read, bytes])
      if (read.length < 2 || read.length < 2 + read.readUInt16BE(0)) return
      const whole = read.subarray(2, 2 + read.readUInt16BE(0))
      socket.destroy()
      const isAnswer = whole.length >= 12 && whole.readUInt16BE(0) === message.readUInt16BE(0)
      if (isAnswer) resolve(whole)
      else reject(new DnsError('the name server answered something else'))
    })
    socket.on('timeout', () => socket.destroy(new Error('the name server does not answer')))
    socket.on('error', ({ message: said }) => reject(new DnsError(said)))
    socket.on('close', () => reject(new DnsError('the name server hung up')))
  })
}

/** A zone on a server that accepts updates. */
export function rfc2136(guard: OutboundGuard, server: Server): DnsProvider {
  const record = (name: string, value: string, of: number, ttl: number) =>
    wireRecord({ name: wireName(name), type: recordTypes.TXT, class: of, ttl, data: wireText(value) })
  return {
    zone: server.zone,
    addText: (name, value) => update(guard, server, record(name, value, recordClasses.IN, ttlSeconds)),
    setAddresses(name, kind, addresses, ttl) {
      const about = { name: wireName(name), type: recordTypes[kind] }
      // One message, so that no query in between finds the name missing.
      return update(
        guard,
        server,
        wireRecord({ ...about, class: recordClasses.ANY, ttl: 0, data: Buffer.alloc(0) }),
        ...addresses.map((address) =>
          wireRecord({ ...about, class: recordClasses.IN, ttl, data: wireAddress(address) }),
        ),
      )
    },
    removeText: (name, value) => update(guard, server, record(name, value, recordClasses.NONE, 0)),
  }
}
