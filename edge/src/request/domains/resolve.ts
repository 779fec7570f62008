/** The addresses of an origin: an address literal, or a name resolved by DNS. Forbidden addresses are left out. */

import { formatAddress, parseAddress, type RangeSet, unmapped } from '../lib/address.ts'
import { mayBeOrigin } from '../lib/address-policy.ts'
import { trimmed } from '../lib/trimmed.ts'
import { randomBytes } from '../nginx/crypto.ts'
import { readFile } from '../nginx/files.ts'
import { node, own } from '../nginx/node.ts'
import { type DnsAnswer, type DnsType, decodeAnswer, encodeQuestion } from './dns.ts'
import type { Origin } from './origins.ts'

type Known = { bytes: string[]; until: number }

let known: Record<string, Known> = {}
let count = 0
const knownMax = 10_000
/** Seconds for which an expired answer may still be used while no DNS server answers. */
const graceSeconds = 3600

let servers: { host: string; port: number }[] | undefined

function nameServers(): { host: string; port: number }[] {
  if (servers !== undefined) return servers
  const texts = [...node().resolvers]
  if (texts.length === 0) {
    for (const line of (readFile('/etc/resolv.conf') ?? '').split('\n')) {
      if (line.startsWith('nameserver ')) texts.push(trimmed(line.substring(11)))
    }
  }
  servers = texts.map((text) => {
    const [host, port] = text.split('#')
    return { host: host!, port: tonumber(port) ?? 53 }
  })
  return servers
}

/** The addresses to try for an origin, in nginx's form. */
export function addressesOf(origin: Origin, allowed: RangeSet): string[] {
  const { bytes, port } = origin
  if (bytes !== undefined) return mayBeOrigin(bytes, port, allowed, own()) ? [asPeer(bytes)] : []
  const addresses: string[] = []
  for (const found of lookUp(origin.host.toLowerCase())) {
    const plain = unmapped(found)
    if (mayBeOrigin(plain, port, allowed, own())) addresses.push(asPeer(plain))
    else ngx.log(ngx.WARN, 'origin ', origin.host, ' stands where none may')
  }
  return addresses
}

function asPeer(bytes: string): string {
  return bytes.length === 4 ? formatAddress(bytes) : `[${formatAddress(bytes)}]`
}

function lookUp(name: string): string[] {
  const before = known[name]
  const now = ngx.now()
  if (before !== undefined && before.until > now) return before.bytes
  const v4 = ask(name, 1)
  const answer = v4 !== undefined && v4.addresses.length > 0 ? v4 : (ask(name, 28) ?? v4)
  if (answer === undefined) return before !== undefined && before.until + graceSeconds > now ? before.bytes : []
  if (count >= knownMax) {
    known = {}
    count = 0
  }
  count++
  known[name] = { bytes: answer.addresses, until: now + answer.ttl }
  return answer.addresses
}

/** Queries each server up to twice. Port and id are random, and only a reply from that server itself is accepted. */
function ask(name: string, type: DnsType): DnsAnswer | undefined {
  const [host] = string.gsub(name, '%.$', '')
  if (parseAddress(host) !== undefined) return undefined
  for (let attempt = 0; attempt < 2; attempt++) {
    for (const server of nameServers()) {
      const [high, low] = string.byte(randomBytes(2), 1, 2)
      const id = high! * 256 + low!
      const question = encodeQuestion(id, host, type)
      if (question === undefined) return undefined
      const answer = exchange(server, question, id, type)
      if (answer !== undefined) return answer
    }
  }
  return undefined
}

function exchange(
  server: { host: string; port: number },
  question: string,
  id: number,
  type: DnsType,
): DnsAnswer | undefined {
  const socket = ngx.socket.udp()
  socket.settimeout(1500)
  const [connected] = socket.setpeername(server.host, server.port)
  if (connected === undefined) return undefined
  socket.send(question)
  const [message] = socket.receive()
  socket.close()
  return message === undefined ? undefined : decodeAnswer(message, id, question, type)
}
