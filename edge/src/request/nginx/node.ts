/** The facts of this node that nginx.conf hands to the request path when it starts. */

export type NodeFacts = {
  node: number
  zone: number
  group: number
  folder: string
  trustedProxies: string[]
  /** Name servers; without any, those of /etc/resolv.conf. */
  resolvers: string[]
}

let facts: NodeFacts = { node: 0, zone: 0, group: 0, folder: '', trustedProxies: [], resolvers: [] }

export function setNode(given: NodeFacts): void {
  facts = given
}

export function node(): NodeFacts {
  return facts
}
