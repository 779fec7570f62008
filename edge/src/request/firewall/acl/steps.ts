/**
 * Goes through a program without a loop, as `lib/first-of.ts` asks lists: LuaJIT compiles a phase as one piece only where
 * nothing in it loops. There is a function for each number of tests, made of text of our own when it is first needed.
 */
import { beginPiece } from '../../lib/begin-piece.ts'
import type { EdgeRequest, Tools } from '../../lib/guard.ts'

/** Of Lua: makes a function of its text. */
declare const load:
  | ((this: void, text: string, name: string) => (this: void, ...values: never[]) => unknown)
  | undefined

/** Asks the test at a place, counted from 1; returns the next one. */
type Step<Program> = (
  this: void,
  program: Program,
  place: number,
  path: string,
  request: EdgeRequest,
  tools: Tools,
) => number

/** Where a program ends that begins at its last test. */
export type Run<Program> = (this: void, program: Program, path: string, request: EdgeRequest, tools: Tools) => number

/** Tests that LuaJIT surely compiles as one piece. */
const testsInPiece = 2

/** Jumps lead to earlier tests, so there are as many steps as tests at most. */
function textOf(tests: number): string {
  let text = 'local step, split = ... return function(program, path, request, tools) '
  text += `local place = step(program, ${tests}, path, request, tools) `
  for (let done = 1; done < tests; done++) {
    text += 'if place <= 0 then return place end '
    if (done % testsInPiece === 0) text += 'split() '
    text += 'place = step(program, place, path, request, tools) '
  }
  return `${text} return place end`
}

/** In Node, where programs run in tests. */
function looped<Program>(tests: number, step: Step<Program>): Run<Program> {
  return (program, path, request, tools) => {
    let place = tests
    while (place > 0) place = step(program, place, path, request, tools)
    return place
  }
}

/** All programs are asked by one step. */
const runs: Record<number, unknown> = {}

/** The function for programs of so many tests. */
export function runOf<Program>(tests: number, step: Step<Program>): Run<Program> {
  if (runs[tests] === undefined) {
    const isLua = typeof load === 'function'
    runs[tests] = isLua
      ? load!(textOf(tests), `=acl ${tests}`)(step as never, beginPiece as never)
      : looped(tests, step)
  }
  return runs[tests] as Run<Program>
}
