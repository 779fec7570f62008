/** The load generator that benches ask with. Whoever imports this needs it, and hears at once that it is missing. */
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

if (spawnSync('wrk', ['-v'], { stdio: 'ignore' }).error) {
  console.error('This bench asks with wrk, which is not there: install the package wrk.')
  process.exit(1)
}

/** Runs wrk to its end and returns what it printed. */
export async function runWrk(options: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('wrk', options)
  return stdout
}
