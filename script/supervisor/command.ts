import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Running } from './keep.ts'
import type { LogFile } from './log-file.ts'
import { signalsOf, stopPatienceMs } from './stop-signals.ts'

export type Command = { program: string; args: string[]; env: NodeJS.ProcessEnv; folder: string }

/**
 * Starts a program in its own process group, so that Ctrl-C reaches only the supervisor, which decides the order. The
 * program writes its log itself, and keeps running when the supervisor is gone. `name` selects the signals that stop
 * it.
 */
export function startCommand(command: Command, log: LogFile, name = ''): Running {
  const { program, args, env, folder } = command
  const child = spawn(program, args, { env, cwd: folder, detached: true, stdio: ['ignore', log.file, log.file] })
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be run: ${error.message}`))
    // Not 'close': children of the child may hold the pipes open long after it is gone.
    child.once('exit', (code, signal) => {
      const how = signal ? `ended by ${signal}` : `ended with code ${code}`
      // The last line is the most informative one.
      const last = code ? log.last().slice(0, 300) : ''
      resolve(last ? `${how} (${last})` : how)
    })
  })
  return {
    pid: child.pid,
    exited,
    async stop() {
      const timers = signalsOf(name).map((signal, at) => setTimeout(() => child.kill(signal), at * stopPatienceMs))
      await exited
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

/** File descriptor to which a program writes output for its caller only. Its other output goes to its log. */
const answerFile = 3

/**
 * Runs a program to completion and returns its answer: what it wrote to the file descriptor named in
 * BREAKWATER_ANSWER_FD, which is in no log. If it fails, throws with the last lines of its output.
 */
export async function runCommand(command: Command, log: LogFile, signal?: AbortSignal): Promise<string> {
  const { program, args, folder } = command
  const env = { ...command.env, BREAKWATER_ANSWER_FD: String(answerFile) }
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const
  const child = spawn(program, args, { env, cwd: folder, detached: true, signal, stdio: [...stdio] })
  let answer = ''
  const answers = child.stdio[answerFile] as Readable
  answers.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  const lines: string[] = []
  for (const input of [child.stdout as Readable, child.stderr as Readable]) {
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
  return answer
}
