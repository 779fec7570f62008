import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Running } from './keep.ts'
import type { LogFile } from './log-file.ts'

export type Command = { program: string; args: string[]; env: NodeJS.ProcessEnv; folder: string }

/** What a child may take for an orderly end before it is killed. */
const STOP_PATIENCE_MS = 15_000

/**
 * Starts a program in a group of its own, so that Ctrl-C reaches the supervisor alone, which decides the order. It writes
 * its log by itself, and goes on when the supervisor is gone.
 */
export function startCommand(command: Command, log: LogFile): Running {
  const { program, args, env, folder } = command
  const child = spawn(program, args, { env, cwd: folder, detached: true, stdio: ['ignore', log.file, log.file] })
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be run: ${error.message}`))
    // Not 'close': children of the child may hold the pipes for long after it is gone.
    child.once('exit', (code, signal) => {
      const how = signal ? `ended by ${signal}` : `ended with code ${code}`
      // The last line tells the most.
      const last = code ? log.last().slice(0, 300) : ''
      resolve(last ? `${how} (${last})` : how)
    })
  })
  return {
    pid: child.pid,
    exited,
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS)
      await exited
      clearTimeout(timer)
    },
  }
}

/** Runs a program to its end and gives its lines; throws with the last of them when it fails. */
export async function runCommand(command: Command, log: LogFile, signal?: AbortSignal): Promise<string[]> {
  const { program, args, env, folder } = command
  const child = spawn(program, args, { env, cwd: folder, detached: true, signal, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      lines.push(line)
      writeSync(log.file, `${line}\n`)
    })
  }
  const code = await new Promise<number | string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(signal ?? code ?? 0))
  })
  if (code !== 0) {
    const name = args.at(-1) ?? program
    throw new Error(`The step "${name}" ended with ${code}. What it said:\n\n${lines.slice(-30).join('\n')}`)
  }
  return lines
}
