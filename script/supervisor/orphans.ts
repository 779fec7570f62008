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

/** Poll interval: nothing reports the exit of a process that is not a child. */
const LOOK_MS = 100

/**
 * Records the running processes, so that a killed supervisor leaves nothing behind for good: the next one reads the
 * records, and adopts the processes or stops them. The folder is also the working directory of every child, which
 * identifies children of children (a killed nginx master leaves its workers, and they keep the ports).
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

  /** The recorded process, if it is still running. */
  function find(name: string): ProcessIdentity | undefined {
    const noted = read(name)
    return noted && isRunning(noted) ? noted : undefined
  }

  /** Stops the recorded process and whatever is left of its process group. */
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
    /** Stops a process and frees its name at once; resolves when it is gone. */
    async leave(name: string) {
      this.setAside(name)
      await this.endAside(name)
    },
    /** Records a running process under another name, so that its successor can start next to it. */
    setAside(name: string) {
      if (existsSync(path(name))) renameSync(path(name), path(`${name}-leaving`))
    },
    endAside: (name: string) => end(`${name}-leaving`, stopPatienceMs),
    signal(name: string, signal: NodeJS.Signals) {
      const found = find(name)
      if (found) process.kill(found.pid, signal)
    },
    runs: (name: string): boolean => find(name) !== undefined,
    /** Whether any process of an earlier run is still running. */
    anyRuns: (): boolean => names().some((name) => find(name)),
    /** Adopts a running process of an earlier run. */
    adopt(name: string): Running | undefined {
      const found = find(name)
      if (!found) return undefined
      const gone = async () => {
        while (isRunning(found)) await pause(LOOK_MS)
        return 'ended'
      }
      return { pid: found.pid, exited: gone(), stop: () => endProcess(found, signalsOf(name), stopPatienceMs) }
    },
    /** Stops everything that an earlier run left, and returns the names of what was still running. */
    async endAll(): Promise<string[]> {
      const noted = names()
      const ended = await Promise.all(noted.map((name) => end(name)))
      return noted.filter((_, index) => ended[index])
    },
  }
}

/** The processes of a group whose working directory is the folder: a group ID alone could have been reused. */
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
