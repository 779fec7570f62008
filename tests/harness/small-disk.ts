/**
 * A small separate disk: a tmpfs in a mount namespace that ends with its process, so that nothing stays mounted.
 * Requires root.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const block = Buffer.alloc(4_096, 1)

export type SmallDisk = {
  /** Its path inside the namespace. */
  folder: string
  /** Its path for everybody else. */
  outside: string
  /** Prefix for a command that is to run with the disk. */
  within: string[]
  /** Fills the free space, except for this many bytes. */
  fill(left?: number): void
  /** Frees that space again. */
  free(): void
  close(): Promise<void>
}

export async function smallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'bw-disk-'))
  const script = `mount -t tmpfs -o size=${megabytes}m,mode=755 none ${folder} && echo mounted && exec sleep infinity`
  const child = spawn('unshare', ['-m', '--propagation', 'private', 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  await Promise.race([
    once(child.stdout, 'data'),
    exited.then(() => Promise.reject(new Error('no disk could be mounted'))),
  ])
  const outside = `/proc/${child.pid}/root${folder}`
  const free = () => statfsSync(outside).bavail * statfsSync(outside).bsize
  const filler = join(outside, 'filler')
  return {
    folder,
    outside,
    within: ['nsenter', '-t', String(child.pid), '-m', '--'],
    fill(left = 0) {
      const file = openSync(filler, 'a')
      try {
        while (free() > left) if (writeSync(file, block) < block.length) break
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
      if (free() > left + block.length) throw new Error('the disk is not full')
    },
    free: () => rmSync(filler, { force: true }),
    async close() {
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
