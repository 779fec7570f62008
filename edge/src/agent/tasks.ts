/** Runs the control plane's tasks: no old or foreign ones, each with a receipt; purges run once and in order. */
import { join } from 'node:path'
import { Task, TasksReply, tasksSignatureText } from '@breakwater/contract/edge/node-api.ts'
import type { PurgeRecord } from '@breakwater/contract/edge/node-disk.ts'
import { z } from 'zod'
import type { ControlPlane } from './control-plane.ts'
import { readIfThere, writeDurably } from './files.ts'
import type { Identity } from './identity.ts'
import type { Layout } from './layout.ts'
import { log, reasonOf } from './log.ts'
import type { Nginx } from './nginx.ts'
import { hashOf } from './objects.ts'
import type { Preheats, WaitingUrl } from './preheat.ts'
import type { PurgeLog } from './purge-log.ts'
import { requireSignature, Untrusted } from './signatures.ts'

const BATCH = 500

const Receipt = z.object({ id: z.number().int(), ok: z.boolean(), detail: z.string() })
export type Receipt = z.output<typeof Receipt>

const Done = z.object({
  /** The last accepted task; set before it is run, so that a killed agent never runs it twice. */
  last: z.number().int(),
  /** The last purge that nginx was sent. */
  told: z.number().int(),
  /** Receipts that the control plane has not confirmed. */
  receipts: z.array(Receipt),
})

/** An unreadable note is replaced by a new one: the purge log shows what was accepted, and nginx may get it twice. */
function noteOf(text: Buffer | undefined): z.output<typeof Done> {
  const fresh = { last: 0, told: 0, receipts: [] }
  if (!text) return fresh
  try {
    return Done.parse(JSON.parse(text.toString('utf8')))
  } catch (error) {
    log.error('the note about tasks is unreadable', { reason: reasonOf(error) })
    return fresh
  }
}

export type Tasks = {
  /** Fetches and runs new tasks and sends receipts. Throws if the control plane or nginx is away; done work is kept. */
  run(): Promise<void>
  /** Saves receipts of tasks that were run elsewhere; the next run sends them. */
  keep(receipts: readonly Receipt[]): Promise<void>
}

export async function openTasks(
  layout: Layout,
  identity: Identity,
  plane: ControlPlane,
  nginx: Nginx,
  purges: PurgeLog,
  preheats: Pick<Preheats, 'add'>,
): Promise<Tasks> {
  const path = join(layout.own, 'tasks.json')
  const text = await readIfThere(path)
  const done = noteOf(text)
  // A purge counts as accepted once its line is in the log, which may be newer than the note.
  done.last = Math.max(done.last, purges.last())
  // Serialized: otherwise an older note could overwrite a newer one.
  let saved = Promise.resolve()
  const write = () => writeDurably(path, JSON.stringify(done), layout.private)
  const save = () => {
    saved = saved.then(write, write)
    return saved
  }

  async function fetch(): Promise<boolean> {
    const reply = await plane.get(`/tasks?after=${done.last}`, TasksReply)
    requireSignature(
      identity.signingKeys,
      reply.signature,
      tasksSignatureText(identity.nodeId, done.last, reply.last, hashOf(reply.tasks)),
    )
    const tasks = z.array(z.object({ id: z.number().int(), body: z.unknown() })).parse(JSON.parse(reply.tasks))
    // A duplicated or replayed reply: tasks are not accepted twice.
    const fresh = tasks.filter(({ id }) => id > done.last)
    if (fresh.some(({ id }, at) => id <= (fresh[at - 1]?.id ?? 0) || id > reply.last))
      throw new Untrusted('tasks out of order')
    if (fresh.length === 0) return false
    await takeOn(fresh)
    return true
  }

  async function fetchAll() {
    while (await fetch()) log.debug('tasks taken on', { last: done.last })
  }

  async function takeOn(fresh: readonly { id: number; body: unknown }[]) {
    const records: PurgeRecord[] = []
    const urls: WaitingUrl[] = []
    for (const one of fresh) {
      const task = Task.safeParse(one)
      if (!task.success) {
        done.receipts.push({ id: one.id, ok: false, detail: 'this agent does not know the task' })
        continue
      }
      const { id, body } = task.data
      if (body.kind === 'preheat') urls.push({ id, site: body.site, url: body.url })
      else records.push({ id, site: body.site, type: body.type, values: body.values })
    }
    await purges.append(records)
    await preheats.add(urls)
    done.last = fresh.at(-1)?.id ?? done.last
    await save()
  }

  async function tellNginx() {
    for (;;) {
      const waiting = purges.since(done.told).slice(0, BATCH)
      const last = waiting.at(-1)
      if (!last) return
      await nginx.purge(waiting)
      done.told = last.id
      done.receipts.push(...waiting.map(({ id }) => ({ id, ok: true, detail: '' })))
      await save()
    }
  }

  async function sendReceipts() {
    while (done.receipts.length > 0) {
      const receipts = done.receipts.slice(0, BATCH)
      await plane.post('/tasks/receipts', { receipts }, z.unknown())
      done.receipts = done.receipts.slice(receipts.length)
      await save()
    }
  }

  return {
    async keep(receipts) {
      done.receipts.push(...receipts)
      await save()
    },

    async run() {
      // Tasks on disk reach nginx even if the control plane is unreachable.
      const [fetched] = await Promise.allSettled([fetchAll()])
      await tellNginx()
      await purges.compact()
      await sendReceipts()
      if (fetched.status === 'rejected') throw fetched.reason
    },
  }
}
