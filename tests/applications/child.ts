/** An application in a process of its own. */
import { spawn } from 'node:child_process'
import { until } from '../../edge/box/harness.ts'
import type { Application } from './box.ts'

/** Starts a script with the Node of this test and waits until it answers HTTP. */
export async function startChild(
  script: string,
  args: string[],
  port: number,
  env: Record<string, string> = {},
): Promise<Application> {
  const child = spawn(process.execPath, ['--no-warnings', script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      said = `${said}${data}`.slice(-4000)
    })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(`${script} ended: ${said}`)
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    await answer?.body?.cancel()
    return answer !== undefined
  }
  await until(`${script} that answers`, answers, 240_000)
  return {
    port,
    end: async () => {
      child.kill()
      await ended
    },
  }
}
