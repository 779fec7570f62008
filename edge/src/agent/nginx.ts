/** The agent's interface to nginx: JSON over the control socket, and signals to the master process. */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import type { BanChange } from '@breakwater/contract/edge/bans.ts'
import { type FeedEntry, OriginState, originStatesMax } from '@breakwater/contract/edge/node-api.ts'
import type { LiveConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import { ApplyReply, NginxState, type NodeIdentity, type PurgeRecord } from '@breakwater/contract/edge/node-disk.ts'
import { NginxTallies, type NginxTalliesQuestion } from '@breakwater/contract/edge/tallies.ts'
import { type BotVerdict, ClaimedBot } from '@breakwater/contract/edge/verified-bots.ts'
import { z } from 'zod'
import { liveOf } from './held-configuration.ts'
import type { Layout } from './layout.ts'

const TIMEOUT_MS = 15_000

/** Lua has only one kind of table: an empty list may arrive as an empty object, or not at all. */
const Applied = z.preprocess((reply) => {
  const refused = (reply as { refused?: unknown } | null)?.refused
  return { refused: Array.isArray(refused) ? refused : [] }
}, ApplyReply)

/** nginx could not be reached: not started yet, restarting, or too busy. The call should be retried. */
export class NginxAway extends Error {}

/** nginx answered with an error. */
export class NginxFailed extends Error {}

export type Nginx = {
  apply(entries: readonly FeedEntry[]): Promise<ApplyReply['refused']>
  purge(purges: readonly PurgeRecord[]): Promise<void>
  bans(bans: readonly BanChange[]): Promise<void>
  /** Announces a new reputation file on disk, with this hash. */
  reputation(hash: string): Promise<void>
  /** Passes the tallies of other nodes and the sites under attack; returns nginx's own tallies since the last call. */
  tallies(question: NginxTalliesQuestion): Promise<NginxTallies>
  /** Reports which clients are the bots they claim to be; returns at most `most` others to look up. */
  bots(verdicts: readonly BotVerdict[], most: number): Promise<ClaimedBot[]>
  sampling(weight: number): Promise<void>
  /** Passes the settings of the operator that need no reload. */
  configure(live: LiveConfiguration): Promise<void>
  state(): Promise<NginxState>
  /** The state of origins as seen by the request path. */
  origins(): Promise<OriginState[]>
  /** The master's process ID, or undefined if none is running. */
  master(): number | undefined
  /** Reopens the logs (USR1) or reloads nginx.conf (HUP). Returns false if nginx is not running. */
  signal(signal: 'SIGUSR1' | 'SIGHUP'): boolean
}

/** `identity` is sent with each page of sites. */
export function connectNginx(layout: Layout, identity: NodeIdentity): Nginx {
  function ask(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const away = (error: Error) => reject(new NginxAway(error.message))
      const outgoing = request(
        {
          socketPath: layout.controlSocket,
          method,
          path,
          timeout: TIMEOUT_MS,
          headers: { 'content-type': 'application/json' },
        },
        (message) => {
          const chunks: Buffer[] = []
          message.on('data', (chunk: Buffer) => chunks.push(chunk))
          message.on('error', away)
          message.on('end', () =>
            resolve({ status: message.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
          )
        },
      )
      outgoing.on('timeout', () => outgoing.destroy(new Error(`nginx gave no answer in ${TIMEOUT_MS / 1000} s`)))
      outgoing.on('error', away)
      outgoing.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

  async function told<S extends z.ZodType>(
    reply: S,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<z.output<S>> {
    const { status, text } = await ask(method, path, body)
    if (status !== 200) throw new NginxFailed(`nginx answered ${status} to ${path}: ${text.slice(0, 200)}`)
    return reply.parse(JSON.parse(text))
  }

  const nothing = z.unknown()
  /** An empty Lua list arrives as an object. */
  const Claimed = z.object({ claimed: z.preprocess((list) => (Array.isArray(list) ? list : []), z.array(ClaimedBot)) })
  const Origins = z.object({ origins: z.array(OriginState) })

  function master(): number | undefined {
    try {
      const pid = Number(readFileSync(layout.pidFile, 'utf8').trim())
      if (!Number.isInteger(pid) || pid <= 1) return undefined
      // A pid file outlives a killed master, and its number may have been reused by now.
      return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('nginx') ? pid : undefined
    } catch {
      return undefined
    }
  }

  return {
    apply: async (entries) => (await told(Applied, 'POST', '/apply', { entries, identity })).refused,
    purge: async (purges) => void (await told(nothing, 'POST', '/purge', { purges })),
    bans: async (bans) => void (await told(nothing, 'POST', '/bans', { bans })),
    reputation: async (hash) => void (await told(nothing, 'POST', '/reputation', { hash })),
    tallies: (question) => told(NginxTallies, 'POST', '/tallies', question),
    async bots(verdicts, most) {
      return (await told(Claimed, 'POST', '/bots', { verdicts, most })).claimed
    },
    sampling: async (weight) => void (await told(nothing, 'POST', '/sampling', { weight })),
    async configure(configuration) {
      await told(nothing, 'POST', '/configuration', liveOf(configuration))
    },
    state: () => told(NginxState, 'GET', '/state'),
    origins: async () => (await told(Origins, 'GET', '/origins')).origins.slice(0, originStatesMax),
    master,
    signal(signal) {
      const pid = master()
      if (pid === undefined) return false
      process.kill(pid, signal)
      return true
    },
  }
}
