/**
 * Many agents in one process: each with a key and a certificate of its own, real TLS, and the agent's own reconnect
 * logic.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FeedReply } from '@breakwater/contract/edge/node-api.ts'
import pg from 'pg'
import { type ControlPlane, connectControlPlane, Refused } from '../../edge/src/agent/control-plane.ts'
import { backoff, doorbell, pause } from '../../edge/src/agent/retry.ts'
import { listen } from '../../edge/src/agent/stream.ts'
import type { Product } from '../harness/product.ts'

export type ManyAgents = {
  /** How many have received the whole feed: everything that was desired at their last request. */
  current(): number
  /** Marks every agent's feed as outdated, as an outage does. */
  forget(): void
  /** Feed requests since the last `forget`, and how many of them were refused. */
  asked(): { questions: number; refused: number }
  close(): Promise<void>
}

/**
 * The server's own CA, and a machine's certificate request; imported by path, as their types do not know those of
 * browsers.
 */
const server = new URL('../../server/src/', import.meta.url).href
type Authority = {
  certificate: string
  checkRequest(
    csr: string,
  ): Promise<{ serial: string; keyHash: Buffer; issue(node: number): Promise<string> } | undefined>
}
const openAuthority = async (product: Product): Promise<Authority> =>
  (await import(`${server}authority/authority.ts`)).openAuthority(product.dataFolder)
const certificateRequest = async (): Promise<{ csr: string; key: string }> =>
  (await import(`${server}nodes/testing/test-node.ts`)).certificateRequest()

/** Enrols this many nodes in addition to the product's own one, and runs an agent for each. */
export async function startManyAgents(product: Product, size: number): Promise<ManyAgents> {
  const stop = new AbortController()
  const members = await enrolAll(product, size)
  let known = new Set<number>()
  let questions = 0
  let refused = 0
  const authority = (await openAuthority(product)).certificate
  const planes: ControlPlane[] = []
  const running = members.flatMap(({ id, key, certificate }) => {
    const plane = connectControlPlane(`https://127.0.0.1:${product.nodePort}`, { authority, certificate, key })
    planes.push(plane)
    const bell = doorbell()
    const follow = async () => {
      const waits = backoff(500, 30_000)
      let state = { epoch: 0, after: 0 }
      while (!stop.signal.aborted) {
        await bell.wait(60_000, stop.signal)
        try {
          questions++
          const page = await plane.get(`/feed?epoch=${state.epoch}&after=${state.after}&schema=2&limit=500`, FeedReply)
          state = { epoch: page.epoch, after: page.after }
          if (page.after >= page.desired) known.add(id)
          waits.succeeded()
        } catch (error) {
          if (error instanceof Refused) refused++
          await pause(waits.failed() + (error instanceof Refused ? error.retryAfterMs : 0), stop.signal)
          bell.ring()
        }
      }
    }
    const wakes = { feed: () => bell.ring(), tasks: () => {}, bans: () => {}, rows: () => {} }
    return [listen(plane, wakes, stop.signal), follow()]
  })
  return {
    current: () => known.size,
    forget() {
      known = new Set()
      questions = 0
      refused = 0
    },
    asked: () => ({ questions, refused }),
    async close() {
      stop.abort()
      for (const plane of planes) plane.close()
      await Promise.all(running)
    },
  }
}

type Member = { id: number; key: string; certificate: string }

/** Does what the node API does at an enrolment, without its rate limit for strangers. */
async function enrolAll(product: Product, size: number): Promise<Member[]> {
  const engines = JSON.parse(readFileSync(join(product.dataFolder, 'secrets/engines.json'), 'utf8'))
  const client = new pg.Client({ connectionString: engines.DATABASE_URL })
  await client.connect()
  try {
    const authority = await openAuthority(product)
    const members: Member[] = []
    for (let at = 0; at < size; at++) {
      const { csr, key } = await certificateRequest()
      const certified = await authority.checkRequest(csr)
      if (!certified) throw new Error('the authority took no request of ours')
      const { rows } = await client.query(
        `insert into nodes (operator_id, zone_id, group_id, name, seal_key, key_hash, certificate_serial, schemas)
         select operator_id, zone_id, group_id, $1, $2, $3, $4, schemas from nodes order by id limit 1 returning id`,
        [`agent ${at}`, randomBytes(32), certified.keyHash, certified.serial],
      )
      members.push({ id: rows[0].id, key, certificate: await certified.issue(rows[0].id) })
    }
    return members
  } finally {
    await client.end()
  }
}
