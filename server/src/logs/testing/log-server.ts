/** The real application with two customers, a site each, and a node that ships their rows. */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { RequestRow } from '@breakwater/contract/edge/events.ts'
import { withSystem } from '../../db/database.ts'
import { makeIngest } from '../../events/ingest.ts'
import { makeRow, ndjson } from '../../events/testing/make-rows.ts'
import { makeTestServer, type TestServer } from '../../testing/server.ts'

export type LogServer = TestServer & {
  mine: { token: TokenSet; site: number }
  theirs: { token: TokenSet; site: number }
  operator: TokenSet
  node: { nodeId: number; zoneId: number; groupId: number }
  /** Ships rows as the node does. */
  ship(rows: Partial<RequestRow>[]): Promise<void>
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
  return {
    ...server,
    mine: { token: mine, site: mySite },
    theirs: { token: theirs, site: theirSite },
    operator,
    node,
    async ship(rows) {
      const batch = { kind: 'requests' as const, boot: '0123456789abcdef', sequence: ++sequence, rows: rows.length }
      await ingest(
        node,
        batch,
        '',
        ndjson(rows.map((row) => makeRow({ node: node.nodeId, zone: node.zoneId, site: mySite, ...row }))),
      )
    },
  }
}
