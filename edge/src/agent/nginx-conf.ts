/** nginx.conf on disk; a running nginx reloads it only if it changed. `configure.ts` replaces it while nginx runs. */
import { readFileSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import { staleSockets } from '../nginx/folder.ts'
import { renderNginxConf } from '../nginx/render.ts'
import { readIfThere, writeDurably } from './files.ts'
import type { Layout } from './layout.ts'
import { log } from './log.ts'
import type { Nginx } from './nginx.ts'

/** Writes the file if it differs, before nginx starts. */
export async function writeNginxConf(layout: Layout, settings: NodeSettings): Promise<void> {
  const path = join(layout.folder, 'nginx.conf')
  const text = renderNginxConf(settings)
  const old = await readIfThere(path)
  if (old?.toString('utf8') !== text) await writeDurably(path, text, layout.readable)
}

/** The reload in progress: two concurrent calls must not reload nginx twice. */
let reloading: Promise<boolean> | undefined
/** The note of the master and the file that were compared last: nothing else is read until either changes. */
let compared = ''

/**
 * Reloads a running nginx if nginx.conf is newer than the one it runs with. A note of the reload outlives the agent, so
 * that a restarted agent does not reload nginx for nothing. Returns whether nginx runs.
 */
export function reloadIfStale(layout: Layout, nginx: Nginx): Promise<boolean> {
  reloading ??= reloadNow(layout, nginx).finally(() => {
    reloading = undefined
  })
  return reloading
}

async function reloadNow(layout: Layout, nginx: Nginx): Promise<boolean> {
  const pid = nginx.master()
  if (pid === undefined) return false
  const { mtimeMs } = statSync(join(layout.folder, 'nginx.conf'))
  const notePath = join(layout.own, 'reloaded')
  const note = `${pid} ${mtimeMs}`
  if (note === compared) return true
  const isCurrent = startedAt(pid) > mtimeMs || (await readIfThere(notePath))?.toString('utf8') === note
  if (!isCurrent && !nginx.signal('SIGHUP')) return false
  compared = note
  if (isCurrent) return true
  await writeDurably(notePath, note, layout.private)
  log.info('nginx reads its new configuration')
  return true
}

/** When a process started, in epoch milliseconds, to a hundredth of a second. */
function startedAt(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in parentheses may contain spaces, so fields are counted after it. The start is in ticks since boot.
  const ticks = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[19])
  const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])
  return Date.now() - (uptime - ticks / 100) * 1000
}

/** Removes sockets left behind by a killed nginx, which prevent its start. Sockets that accept connections stay. */
export async function removeStaleSockets(layout: Layout): Promise<void> {
  for (const path of staleSockets(layout)) if (await isDead(path)) await rm(path, { force: true })
}

function isDead(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(false)
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'))
  })
}
