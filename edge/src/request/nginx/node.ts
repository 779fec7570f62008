/** The facts of this node that nginx.conf hands to the request path when it starts. */
import type { NodeIdentity } from '@breakwater/contract/edge/node-disk.ts'
import { decode, encode } from 'cjson.safe'
import { type OwnAddresses, ownAddresses } from '../lib/address-policy.ts'

export type NodeFacts = NodeIdentity & {
  folder: string
  trustedProxies: string[]
  /** Name servers; without any, those of /etc/resolv.conf. */
  resolvers: string[]
  /** Addresses by which this machine is reached, and the ports that lead to this nginx there. */
  ownAddresses: string[]
  ownPorts: number[]
  /** Where visitors reach this node over TLS. */
  httpsPort: number
  /** Whether it speaks HTTP/3 there, too; absent for not. */
  http3?: boolean
  /** Ports of the zone beside this node's own: a site answers on those that it chose. */
  extraPorts: number[]
  /** The countries and networks of addresses that came with the release; absent for none. */
  countriesFile?: string
  networksFile?: string
  /** The mark of the nginx.conf that nginx runs with. */
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
 * The agent tells who this node is with each page of sites. A worker that started before the enrolment is node 0 until
 * the reload that follows, and serves the first sites meanwhile: what it seals and counts must name the node.
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

/** Where this node itself is reached. */
export function own(): OwnAddresses {
  return addresses
}
