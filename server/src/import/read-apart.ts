/**
 * Reads what was uploaded in a process of its own, so that a file which is made to cost time or memory, or to break SQLite,
 * costs nobody else anything. That process may read files and nothing more, has no environment, and ends after a while.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ImportDraft, ImportKind } from '@breakwater/contract/import/site-import.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import type { Unreadable } from './read-source.ts'

const reader = fileURLToPath(new URL('./reader.ts', import.meta.url))
const timeMaxMs = 30_000
const heapMaxMiB = 512
const answerBytesMax = 64 * 1_048_576
/** Readers at once; who comes beyond is told to come again. */
const readersMax = 2
const waitingMax = 20

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(run: () => Promise<T>): Promise<T> {
  if (running >= readersMax) {
    if (waiting.length >= waitingMax)
      throw new Fault('unknownError', undefined, { status: 503, message: 'too many imports' })
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running += 1
  try {
    return await run()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** The draft of a source. Throws 101003 at `file` or `rules` where it is of another kind or takes too long. */
export function readApart(
  kind: ImportKind,
  file: Uint8Array | undefined,
  rules: Uint8Array | undefined,
): Promise<ImportDraft> {
  return inTurn(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'breakwater-import-'))
    try {
      const paths = [join(folder, 'file'), join(folder, 'rules')]
      for (const [index, bytes] of [file, rules].entries())
        if (bytes) await writeFile(paths[index]!, bytes, { mode: 0o600 })
      return await run([kind, file ? paths[0]! : '', rules ? paths[1]! : ''])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
}

function run(args: string[]): Promise<ImportDraft> {
  const flags = [
    '--permission',
    '--allow-fs-read=*',
    '--disable-warning=ExperimentalWarning',
    `--max-old-space-size=${heapMaxMiB}`,
  ]
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [...flags, reader, ...args],
      { env: {}, timeout: timeMaxMs, killSignal: 'SIGKILL', maxBuffer: answerBytesMax },
      (error, stdout, stderr) => {
        // Killed for its time or its answer's size, or out of memory: the file is too much.
        if (error?.killed || error?.signal) return reject(fieldFault('file', 'tooComplex'))
        if (error) return reject(new Error(`the reader of imports failed: ${stderr.slice(-2000)}`))
        const answer = JSON.parse(stdout) as ImportDraft | Unreadable
        if ('unreadable' in answer) reject(fieldFault(answer.unreadable, 'wrongFormat'))
        else resolve(answer)
      },
    )
  })
}
