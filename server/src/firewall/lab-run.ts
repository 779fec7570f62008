/**
 * One back-test run in the lab edge: stores its artefact there, sends its batches over one connection, and reports its
 * end.
 */
import { randomUUID } from 'node:crypto'
import { access, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import type { Artefact } from '@breakwater/contract/edge/artefact.ts'
import { type BacktestBatch, BacktestVerdicts } from '@breakwater/contract/edge/backtest.ts'
import type { Logger } from 'pino'
import { Fault } from '../http/fault.ts'
import { askLab, labObjectPath, putObject } from '../process/lab.ts'
import type { Rendered } from '../publish/render.ts'

/** A batch takes about fifty milliseconds; the site's own expressions may make it slower. */
const patienceMs = 10_000

export type LabRun = {
  /** Judges a slice's rows, given as JSON text of columns, with the scores of their addresses. Returns their codes. */
  judge: (columns: string, scores: Record<string, number>) => Promise<BacktestVerdicts>
  end: () => Promise<void>
}

type Tried = Pick<BacktestBatch, 'guard' | 'rule'>

/** Throws 202001 if the lab is unavailable. */
export async function openLabRun(
  dataFolder: string,
  { rendered, alone }: { rendered: Rendered; alone: Rendered },
  tried: Tried,
  logger: Pick<Logger, 'warn'>,
): Promise<LabRun> {
  const lab = join(dataFolder, 'lab')
  const socketPath = join(lab, 'run', 'control.sock')
  await access(socketPath).catch(() => {
    throw new Fault('nodeCommunicationError')
  })
  // Objects with the unsaved rule belong to this run only, and are removed with it.
  const ours: string[] = []
  for (const { artefact, objects } of [rendered, alone]) {
    const { hash, bytes } = artefact
    const { parts, domains } = JSON.parse(bytes.toString()) as Artefact
    const tried = new Set([
      hash,
      parts.firewall,
      ...domains.flatMap(({ luaAcls, firewall }) => [luaAcls ?? [], firewall ?? []].flat()),
    ])
    for (const [name, content] of [...objects, [hash, bytes] as const]) {
      const isNew = await putObject(lab, name, content)
      if (isNew && tried.has(name)) ours.push(name)
    }
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const run = randomUUID()
  let isFirst = true
  const ask = (path: string, json: string) => askLab(socketPath, path, json, { agent, timeout: patienceMs })
  return {
    async judge(columns, scores) {
      const head = JSON.stringify({
        run,
        isFirst,
        artefact: rendered.artefact.hash,
        alone: alone.artefact.hash,
        ...tried,
        scores,
      })
      isFirst = false
      try {
        return BacktestVerdicts.parse(
          JSON.parse(await ask('/backtest', `${head.slice(0, -1)},"columns":${columns.trim()}}`)),
        )
      } catch (error) {
        logger.warn({ err: error }, 'the lab did not try the rule')
        throw new Fault('nodeCommunicationError')
      }
    },
    async end() {
      // An unavailable lab forgets the run by itself.
      if (!isFirst) await ask('/backtest/end', JSON.stringify({ run })).catch(() => undefined)
      agent.destroy()
      for (const name of ours) await rm(labObjectPath(lab, name), { force: true })
    },
  }
}
