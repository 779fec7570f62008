/**
 * What a worker calls to have a request inspected in a thread. The module is loaded by the worker itself, so everything
 * that takes time to load is loaded later, in the thread.
 */
import type { RuleSetFiles } from '../firewall/waf/sieving.ts'
import type { Inspecting, Sent } from '../lib/waf-tools.ts'
import { goBehindWorkers, useIdleTime } from './go-behind-workers.ts'
import type * as inspection from './inspection.ts'

declare function require(this: void, name: './inspection'): typeof inspection

/** A twenty-eighth of a worker's weight, so that it ends on a busy machine, too: it takes most of a second. */
const niceness = 15

export function prepare(files: RuleSetFiles): void {
  goBehindWorkers(niceness)
  require('./inspection').prepare(files)
}

export function inspect(files: RuleSetFiles, sent: Sent, how: Inspecting): ReturnType<typeof inspection.inspect> {
  useIdleTime()
  return require('./inspection').inspect(files, sent, how)
}
