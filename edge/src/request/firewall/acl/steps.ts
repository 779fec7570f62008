/**
 * Runs a program without a loop, as `lib/first-of.ts` does for lists: LuaJIT compiles a phase into one trace only if
 * nothing in it loops. There is one function per number of tests, generated as Lua source when first needed.
 */
import { beginTrace } from '../../lib/begin-trace.ts'
import type { EdgeRequest, Tools } from '../../lib/guard.ts'

/** Lua's `load`: compiles source into a function. */
declare const load:
  | ((this: void, text: string, name: string) => (this: void, ...values: never[]) => unknown)
  | undefined

/** Runs the test at a position, counted from 1, and returns the next one. */
type Step<Program> = (
  this: void,
  program: Program,
  place: number,
  path: string,
  request: EdgeRequest,
  tools: Tools,
) => number

/** Returns where a program ends; it starts with its last test. */
export type Run<Program> = (this: void, program: Program, path: string, request: EdgeRequest, tools: Tools) => number

/** How many tests LuaJIT reliably compiles into one trace. */
const testsInTrace = 2

/** Jumps lead to earlier tests, so there are at most as many steps as tests. */
function textOf(tests: number): string {
  let text = 'local step, split = ... return function(program, path, request, tools) '
  text += `local place = step(program, ${tests}, path, request, tools) `
  for (let done = 1; done < tests; done++) {
    text += 'if place <= 0 then return place end '
    if (done % testsInTrace === 0) text += 'split() '
    text += 'place = step(program, place, path, request, tools) '
  }
  return `${text} return place end`
}

/** For Node, where programs run in unit tests. */
function looped<Program>(tests: number, step: Step<Program>): Run<Program> {
  return (program, path, request, tools) => {
    let place = tests
    while (place > 0) place = step(program, place, path, request, tools)
    return place
  }
}

/** Shared by all programs, which use the same step function. */
const runs: Record<number, unknown> = {}

/** The function for programs with so many tests. */
export function runOf<Program>(tests: number, step: Step<Program>): Run<Program> {
  if (runs[tests] === undefined) {
    const isLua = typeof load === 'function'
    runs[tests] = isLua
      ? load!(textOf(tests), `=acl ${tests}`)(step as never, beginTrace as never)
      : looped(tests, step)
  }
  return runs[tests] as Run<Program>
}
