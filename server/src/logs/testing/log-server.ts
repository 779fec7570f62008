/** The real application with two customers, one site each, and a node that uploads their rows. */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { CounterRow, EventBatch, RequestRow } from '@breakwater/contract/edge/events.ts'
import { withSystem } from '../../db/database.ts'
import { makeIngest } from '../../events/ingest.ts'
import { countersOf, makeCounter, makeRow, ndjson } from '../../events/testing/make-rows.ts'
import { makeTestServer, type TestServer } from '../../testing/server.ts'

export type LogServer = TestServer & {
  mine: { token: TokenSet; site: number }
  theirs: { token: TokenSet; site: number }
  operator: TokenSet
  node: { nodeId: number; zoneId: number; groupId: number }
  /** Uploads rows as the node does, and counters of the same requests unless `only` says rows. */
  uploadEvents(rows: Partial<RequestRow>[], only?: { rows: true }): Promise<void>
  /** Uploads only counters. */
  uploadCounters(counters: Partial<CounterRow>[]): Promise<void>
}

export async function startLogServer(): Promise<LogServer> {
  const server = await makeTestServer()
  const { db } = server.services.database
  await server.makeCustomer('stranger')
  const mine = await server.signIn('user', 'customer')
  const theirs = await server.signIn('user', 'stranger')
  const operator = await server.signIn('client', 'operator')
  const [mySite, theirSite] = [await server.makeSite(mine, 'my site'), await server.makeSite(theirs, 'their site')]
  const node = await withSystem(db, async (tx) => {
    const group = await tx.selectFrom('groups').select(['id', 'zoneId']).orderBy('id').executeTakeFirstOrThrow()
    const { operatorId } = await tx
      .selectFrom('zones')
      .select('operatorId')
      .where('id', '=', group.zoneId)
      .executeTakeFirstOrThrow()
    const values = {
      operatorId,
      zoneId: group.zoneId,
      groupId: group.id,
      name: 'edge-1',
      sealKey: Buffer.alloc(32),
      certificateSerial: 'log-server',
    }
    const { id } = await tx.insertInto('nodes').values(values).returning('id').executeTakeFirstOrThrow()
    return { nodeId: id, zoneId: group.zoneId, groupId: group.id }
  })
  const ingest = makeIngest(db, server.services.events)
  let sequence = 0
  const send = async (kind: EventBatch['kind'], rows: object[]) => {
    const batch = { kind, boot: '0123456789abcdef', sequence: ++sequence, rows: rows.length }
    await ingest(node, batch, '', ndjson(rows))
  }
  const own = { node: node.nodeId, zone: node.zoneId, site: mySite }
  return {
    ...server,
    mine: { token: mine, site: mySite },
    theirs: { token: theirs, site: theirSite },
    operator,
    node,
    async uploadEvents(rows, only) {
      const made = rows.map((row) => makeRow({ ...own, ...row }))
      await send('requests', made)
      if (!only) await send('counters', countersOf(made))
    },
    uploadCounters: (counters) =>
      send(
        'counters',
        counters.map((counter) => makeCounter({ ...own, ...counter })),
      ),
  }
}
