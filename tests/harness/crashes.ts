/** Detects a crash of nginx during a test: the master starts a new worker at once, so a test may pass anyway. */
import { existsSync, readFileSync } from 'node:fs'

/** Signals caused by the process itself: 4 (SIGILL), 6 (SIGABRT), 7 (SIGBUS), 8 (SIGFPE), 11 (SIGSEGV). */
const crash = /exited on signal (?:4|6|7|8|11)\b|exited with fatal code/

/** Throws if nginx's error log reports a crashed process, with the lines before it. No log means no crash. */
export function expectNoCrash(errorLog: string): void {
  const lines = existsSync(errorLog) ? readFileSync(errorLog, 'utf8').split('\n') : []
  const told = lines.flatMap((line, at) => (crash.test(line) ? lines.slice(Math.max(0, at - 5), at + 1) : []))
  if (told.length > 0) throw new Error(`nginx crashed:\n${told.join('\n')}`)
}
