/**
 * A machine with systemd, simulated with namespaces: whatever is installed in it or written to it disappears with it.
 * Requires root.
 */
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { until } from './until.ts'

const root = resolve(import.meta.dirname, '../..')

export type SystemdMachine = {
  /** Runs a line of bash in it as root; returns its exit code and its output. */
  run: (line: string, environment?: Record<string, string>) => Promise<{ code: number; said: string }>
  /** The same, but throws on failure. */
  must: (line: string, environment?: Record<string, string>) => Promise<string>
  stop: () => Promise<void>
}

/** Whether namespaces and systemd are available. */
export const hasSystemd = process.getuid?.() === 0 && existsSync('/lib/systemd/systemd')

/** Starts it with this checkout in /opt/breakwater and no service running. */
export async function startSystemd(): Promise<SystemdMachine> {
  const place = mkdtempSync(join(tmpdir(), 'breakwater-systemd-'))
  const groups = cgroups(`breakwater-tests-${process.pid}`)
  const boot = [
    ...groups.map((group) => `echo $$ >${group}/cgroup.procs`),
    `exec unshare --kill-child -m --propagation private -p -f -u -i -C sh ${join(import.meta.dirname, 'systemd.sh')} ${root} ${place}`,
  ]
  const child = spawn('sh', ['-c', boot.join('\n')], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise((done) => child.once('exit', done))
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk
  })
  const run: SystemdMachine['run'] = (line, environment = {}) =>
    new Promise((done) => {
      const within = ['-t', String(firstOf(child.pid!)), '-a', '-r', 'env', '-C', '/', 'bash', '--norc', '-c', line]
      const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...environment }
      execFile('nsenter', within, { cwd: '/', env, timeout: 240_000 }, (error, stdout, stderr) =>
        done({ code: error ? Number(error.code ?? 1) : 0, said: `${stdout}${stderr}` }),
      )
    })
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    await until('its processes to be gone', async () => groups.every(removeGroup))
    rmSync(place, { recursive: true })
  }
  const isUp = async () => {
    if (child.exitCode !== null) throw new Error(`systemd ended: ${said}`)
    return (await run('systemctl is-active --quiet basic.target')).code === 0
  }
  await until('systemd', isUp, 30_000).catch(async (error) => {
    await stop()
    throw error
  })
  return {
    run,
    async must(line, environment) {
      const { code, said: answer } = await run(line, environment)
      if (code !== 0) throw new Error(`${line}: ${code} ${answer}`)
      return answer
    },
    stop,
  }
}

/** Creates a cgroup in each hierarchy that systemd uses. */
function cgroups(name: string): string[] {
  const top = '/sys/fs/cgroup'
  const hierarchies = existsSync(`${top}/systemd`) ? [`${top}/systemd`, `${top}/unified`] : [top]
  return hierarchies.map((hierarchy) => {
    mkdirSync(join(hierarchy, name))
    return join(hierarchy, name)
  })
}

/**
 * Removes the cgroup with those that systemd created in it. Returns true once it is gone, which requires that all
 * processes in them have exited.
 */
function removeGroup(group: string): boolean {
  if (!existsSync(group)) return true
  const within = readdirSync(group, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory())
  const folders = [group, ...within.map(({ parentPath, name }) => join(parentPath, name))]
  try {
    for (const folder of folders.toSorted((one, two) => two.length - one.length)) rmdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EBUSY') return false
    throw error
  }
}

/** The first process in the namespaces that `unshare` created, by its PID outside. */
const firstOf = (unshare: number): number => Number(readFileSync(`/proc/${unshare}/task/${unshare}/children`, 'utf8'))
