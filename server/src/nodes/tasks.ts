/** Tasks for the nodes of a group, and their receipts. */
import { createHash } from 'node:crypto'
import {
  type TaskBody,
  type TaskReceipts,
  type TasksReply,
  tasksSignatureText,
} from '@breakwater/contract/edge/node-api.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Signer } from '../authority/signing-keys.ts'
import type { Database } from '../db/database.ts'
import type { NodeIdentity } from './node-identity.ts'

const pageMax = 500
const taskLock = 7_312_002

/**
 * Adds tasks for a group and wakes its nodes. Ids must be assigned in commit order, or a node that has read up to the
 * higher of two would never see the lower: so only one transaction at a time adds to a group. A caller that adds to
 * several groups takes them in the order of their ids. Runs as the system. Returns the id of the first task.
 */
export async function addTasks(db: Database, groupId: number, bodies: readonly TaskBody[]): Promise<number> {
  await sql`select pg_advisory_xact_lock(${taskLock}, ${groupId}::int)`.execute(db)
  const rows = await db
    .insertInto('tasks')
    .values(bodies.map((body) => ({ groupId, siteId: body.site, body: JSON.stringify(body) })))
    .returning('id')
    .execute()
  await sql`select pg_notify('tasks', ${String(groupId)})`.execute(db)
  return Math.min(...rows.map(({ id }) => id))
}

/** Adds a single task. */
export const addTask = (db: Database, groupId: number, body: TaskBody): Promise<number> => addTasks(db, groupId, [body])

/** The tasks of a node's group after the last one it has seen, signed for it. Runs as the system. */
export async function readTasks(
  db: Database,
  node: NodeIdentity,
  after: number,
  signer: Signer,
): Promise<z.output<typeof TasksReply>> {
  const rows =
    node.groupId === null
      ? []
      : await db
          .selectFrom('tasks')
          .select(['id', 'body'])
          .where('groupId', '=', node.groupId)
          .where('id', '>', after)
          .orderBy('id')
          .limit(pageMax)
          .execute()
  const tasks = JSON.stringify(rows)
  const last = rows.at(-1)?.id ?? 0
  const hash = createHash('sha256').update(tasks).digest('hex')
  return { tasks, last, signature: signer.sign(tasksSignatureText(node.id, after, last, hash)) }
}

/**
 * Stores receipts for tasks of the node's own group. A later receipt for the same task replaces an earlier one. Returns
 * the ids that do not belong to the group.
 */
export async function storeReceipts(
  db: Database,
  node: NodeIdentity,
  { receipts }: z.output<typeof TaskReceipts>,
): Promise<number[]> {
  const last = new Map(receipts.map((receipt) => [receipt.id, receipt]))
  const own = await db
    .selectFrom('tasks')
    .select('id')
    .where('groupId', '=', node.groupId ?? 0)
    .where('id', 'in', [...last.keys()])
    .execute()
  if (own.length > 0)
    await db
      .insertInto('taskReceipts')
      .values(
        own.map(({ id }) => ({ taskId: id, nodeId: node.id, ok: last.get(id)!.ok, detail: last.get(id)!.detail })),
      )
      .onConflict((on) =>
        on
          .columns(['taskId', 'nodeId'])
          .doUpdateSet((row) => ({ ok: row.ref('excluded.ok'), detail: row.ref('excluded.detail'), at: sql`now()` })),
      )
      .execute()
  const owned = new Set(own.map(({ id }) => id))
  return [...last.keys()].filter((id) => !owned.has(id))
}
