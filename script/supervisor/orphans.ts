import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  endProcess,
  identifyProcess,
  isRunning,
  type ProcessIdentity,
} from '../../server/src/engines/process-identity.ts'
import type { Running } from './keep.ts'
import { signalsOf, stopPatienceMs } from './stop-signals.ts'

/** Nobody tells of the end of a process that is no child: it is looked at so often. */
const LOOK_MS = 100

/**
 * Notes of what runs, so that a supervisor that was killed leaves nothing behind for good: the next one reads them, and
 * goes on with what runs or ends it.
 * The folder is also the working folder of every child, by which children of a child are known (a killed nginx master
 * leaves its workers, and they keep the ports).
 */
export function openNotes(dataFolder: string) {
  const folder = join(dataFolder, 'run')
  mkdirSync(folder, { recursive: true })
  const path = (name: string) => join(folder, `${name}.json`)

  function read(name: string): ProcessIdentity | undefined {
    try {
      return JSON.parse(readFileSync(path(name), 'utf8')) as ProcessIdentity
    } catch {
      return undefined
    }
  }

  const names = () =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -5))

  /** The noted process, where it still runs. */
  function find(name: string): ProcessIdentity | undefined {
    const noted = read(name)
    return noted && isRunning(noted) ? noted : undefined
  }

  /** Ends the noted process and whatever is left of its group. */
  async function end(name: string, patience?: number) {
    const noted = read(name)
    if (!noted) return false
    const members = groupMembers(noted.pid, folder)
    await endProcess(noted, signalsOf(name), patience)
    await Promise.all(members.map((member) => endProcess(member, ['SIGTERM', 'SIGKILL'], patience)))
    rmSync(path(name), { force: true })
    return members.length > 0
  }

  return {
    folder,
    write(name: string, pid: number) {
      const identity = identifyProcess(pid)
      if (identity) writeFileSync(path(name), JSON.stringify(identity))
    },
    end,
    /** Asks a process to end and makes its name free at once; resolves when it is gone. */
    async leave(name: string) {
      this.setAside(name)
      await this.endAside(name)
    },
    /** Keeps a process running under another name, so that its successor can start beside it. */
    setAside(name: string) {
      if (existsSync(path(name))) renameSync(path(name), path(`${name}-leaving`))
    },
    endAside: (name: string) => end(`${name}-leaving`, stopPatienceMs),
    signal(name: string, signal: NodeJS.Signals) {
      const found = find(name)
      if (found) process.kill(found.pid, signal)
    },
    runs: (name: string): boolean => find(name) !== undefined,
    /** Whether anything of an earlier run still runs. */
    anyRuns: (): boolean => names().some((name) => find(name)),
    /** Takes a running process of an earlier run for one's own. */
    adopt(name: string): Running | undefined {
      const found = find(name)
      if (!found) return undefined
      const gone = async () => {
        while (isRunning(found)) await pause(LOOK_MS)
        return 'ended'
      }
      return { pid: found.pid, exited: gone(), stop: () => endProcess(found, signalsOf(name), stopPatienceMs) }
    },
    /** Ends everything that an earlier run left, and says the names of what was still alive. */
    async endAll(): Promise<string[]> {
      const noted = names()
      const ended = await Promise.all(noted.map((name) => end(name)))
      return noted.filter((_, index) => ended[index])
    },
  }
}

/** The processes of a group that work in the folder: both together are no accident, where a number alone could be. */
function groupMembers(group: number, folder: string): ProcessIdentity[] {
  return readdirSync('/proc').flatMap((entry) => {
    const pid = Number(entry)
    if (!pid || groupOf(pid) !== group || workingFolder(pid) !== folder) return []
    return identifyProcess(pid) ?? []
  })
}

function groupOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
  } catch {
    return undefined
  }
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}
