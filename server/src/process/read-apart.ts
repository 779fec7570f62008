/**
 * Parses uploads in a separate process, so that a file crafted to cost time or memory affects nobody else. That process
 * may only read files, has no environment, and is killed after a while.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fieldFault } from '../http/fault.ts'
import { turns } from './in-turn.ts'

const timeUsualMs = 30_000
const heapMaxMiB = 512
const answerBytesMax = 64 * 1_048_576
/** Concurrent readers; calls beyond the queue get 503. */
const inTurn = turns({ atOnce: 2, waitingMax: 20, waitingOfOneMax: 5, message: 'too many uploads' })

/**
 * Runs `reader`, one of our programs, for a tenant, with the paths of the files ('' for a missing one) and further
 * arguments. Returns the JSON that it prints. Throws 101003 at `file` if it takes too long or too much memory.
 */
export function readApart(
  tenantId: number,
  reader: string,
  files: readonly (Uint8Array | undefined)[],
  {
    before = [],
    after = [],
    timeMaxMs = timeUsualMs,
  }: { before?: readonly string[]; after?: readonly string[]; timeMaxMs?: number },
): Promise<unknown> {
  return inTurn(tenantId, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'breakwater-upload-'))
    try {
      const paths: string[] = []
      for (const [index, bytes] of files.entries()) {
        const path = join(folder, String(index))
        if (bytes) await writeFile(path, bytes, { mode: 0o600 })
        paths.push(bytes ? path : '')
      }
      return await run([reader, ...before, ...paths, ...after], timeMaxMs)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
}

function run(args: string[], timeout: number): Promise<unknown> {
  const flags = [
    '--permission',
    '--allow-fs-read=*',
    '--disable-warning=ExperimentalWarning',
    `--max-old-space-size=${heapMaxMiB}`,
  ]
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [...flags, ...args],
      { env: {}, timeout, killSignal: 'SIGKILL', maxBuffer: answerBytesMax },
      (error, stdout, stderr) => {
        // Killed for its running time or the size of its output, or out of memory: the file is too complex.
        if (error?.killed || error?.signal) return reject(fieldFault('file', 'tooComplex'))
        if (error) return reject(new Error(`the reader of uploads failed: ${stderr.slice(-2000)}`))
        resolve(JSON.parse(stdout))
      },
    )
  })
}
