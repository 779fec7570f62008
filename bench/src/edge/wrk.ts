/** The load generator of the benches. Importing this module exits at once with an error if it is not installed. */
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

if (spawnSync('wrk', ['-v'], { stdio: 'ignore' }).error) {
  console.error('This bench asks with wrk, which is not there: install the package wrk.')
  process.exit(1)
}

/** Runs wrk to completion and returns its output. */
export async function runWrk(options: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('wrk', options)
  return stdout
}
