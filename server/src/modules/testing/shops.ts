/** Sites with one domain each, for tests of modules, and what is published of them. */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { Artefact, ArtefactDomain } from '@breakwater/contract/edge/artefact.ts'
import type { TestServer } from '../../testing/server.ts'

export type Shop = { of: string; site: number; domain: number }
export type Shops = ReturnType<typeof openShops>

export function openShops(server: TestServer, as: TokenSet) {
  const call = (method: string, path: string, body?: unknown) => server.call(method, path, { as, body })
  const must = async (method: string, path: string, body?: unknown) => {
    const reply = await call(method, path, body)
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body.data
  }

  async function make(name: string): Promise<Shop> {
    const site = await server.makeSite(as, name)
    const of = `/user/site/${site}`
    const upstreams = [{ ip: '127.0.0.1', port: 80 }]
    await must('POST', `${of}/domains`, { domains: [{ name: `${name}.example.com`, upstreams }] })
    const [{ id }] = await must('GET', `${of}/domains`)
    return { of, site, domain: id }
  }

  /** An object that nodes get. */
  async function object(hash: string | Buffer) {
    const bytes = typeof hash === 'string' ? Buffer.from(hash, 'hex') : hash
    const { rows } = await server.services.database.pool.query('select bytes from objects where hash = $1', [bytes])
    return JSON.parse(rows[0].bytes.toString())
  }

  /** What nodes get of a site: the artefact's preview host, and the part of a kind that it is bound to. */
  async function published(
    site: number,
    kind: 'cors' | 'proxyRewrites' | 'tokenAuths' | 'authRules' | 'firewall' | 'waf' | 'luaAcls',
  ) {
    const { pool } = server.services.database
    const { rows } = await pool.query('select artefact from feed_entries where site_id = $1', [site])
    const artefact: Artefact = await object(rows[0].artefact)
    const domain = artefact.domains[0] as ArtefactDomain
    const hash = domain[kind]
    const part = hash === undefined ? undefined : await object(hash)
    return { artefact, requires: artefact.requires, domain, part }
  }

  return { call, must, make, published, object }
}
