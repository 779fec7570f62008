import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endProcess, identifyProcess, type ProcessIdentity } from '../../server/src/engines/process-identity.ts'

/**
 * Notes of what runs, so that a supervisor that was killed leaves nothing behind for good: the next one reads them.
 * The folder is also the working folder of every child, by which children of a child are known (a killed nginx master
 * leaves its workers, and they keep the ports).
 */
export function openNotes(dataFolder: string) {
  const folder = join(dataFolder, 'run')
  mkdirSync(folder, { recursive: true })
  const path = (name: string) => join(folder, `${name}.json`)

  /** Ends the noted process and whatever is left of its group. */
  async function end(name: string, patience?: number) {
    let noted: ProcessIdentity
    try {
      noted = JSON.parse(readFileSync(path(name), 'utf8')) as ProcessIdentity
    } catch {
      return false
    }
    const members = groupMembers(noted.pid, folder)
    await endProcess(noted, ['SIGTERM', 'SIGKILL'], patience)
    for (const member of members) await endProcess(member, ['SIGTERM', 'SIGKILL'], patience)
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
    /** Ends everything that an earlier run left, and says the names of what was still alive. */
    async endAll(): Promise<string[]> {
      const names = readdirSync(folder)
        .filter((file) => file.endsWith('.json'))
        .map((file) => file.slice(0, -5))
      const ended = await Promise.all(names.map((name) => end(name)))
      return names.filter((_, index) => ended[index])
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
