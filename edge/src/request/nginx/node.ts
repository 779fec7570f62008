/** The facts of this node that nginx.conf hands to the request path when it starts. */
import type { NodeIdentity } from '@breakwater/contract/edge/node-disk.ts'
import { decode, encode } from 'cjson.safe'
import { type OwnAddresses, ownAddresses } from '../lib/address-policy.ts'

export type NodeFacts = NodeIdentity & {
  folder: string
  trustedProxies: string[]
  /** Name servers; if there are none, those of /etc/resolv.conf. */
  resolvers: string[]
  /** Addresses at which this machine is reached, and the ports that lead to this nginx there. */
  ownAddresses: string[]
  ownPorts: number[]
  /** The port on which visitors reach this node over TLS. */
  httpsPort: number
  /** Whether it speaks HTTP/3 there too; absent if not. */
  http3?: boolean
  /** Ports of the zone in addition to this node's own: a site answers on those that it chose. */
  extraPorts: number[]
  /** The country and network data of the release; absent if there is none. */
  countriesFile?: string
  networksFile?: string
  /** Identifies the nginx.conf that nginx runs with. */
  conf: string
}

let facts: NodeFacts = {
  node: 0,
  zone: 0,
  group: 0,
  folder: '',
  trustedProxies: [],
  resolvers: [],
  ownAddresses: [],
  ownPorts: [],
  httpsPort: 443,
  extraPorts: [],
  conf: '',
}
let addresses: OwnAddresses = ownAddresses([], [])

export function setNode(given: NodeFacts): void {
  facts = given
  addresses = ownAddresses(given.ownAddresses, given.ownPorts)
}

/**
 * The agent sends the node's identity with each page of sites. A worker that started before the enrolment is node 0
 * until the following reload, and already serves the first sites: what it encrypts and counts must name the node.
 */
export function noteIdentity(identity: NodeIdentity): void {
  const text = encode(identity)
  if (text !== undefined) ngx.shared.node!.set('identity', text)
}

export function node(): NodeFacts {
  if (facts.node === 0) learnIdentity()
  return facts
}

function learnIdentity(): void {
  const [text] = ngx.shared.node!.get('identity')
  if (text === undefined) return
  const identity = decode(text as string)[0] as NodeIdentity
  facts.node = identity.node
  facts.zone = identity.zone
  facts.group = identity.group
}

/** The addresses at which this node itself is reached. */
export function own(): OwnAddresses {
  return addresses
}
