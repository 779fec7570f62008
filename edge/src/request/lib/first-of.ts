/**
 * Tries items one after the other until one has an answer, without a loop: LuaJIT compiles a whole phase as one trace
 * only if nothing in it loops, and otherwise leaves it to its interpreter. So there is a generated function per list
 * length, created on first use.
 *
 * After every `pieceItems` items a new trace begins, because the length of a trace is limited too.
 */

import { beginTrace } from './begin-trace.ts'

/** From Lua: creates a function from its source text. */
declare const load:
  | ((this: void, text: string, name: string) => (this: void, ...values: never[]) => unknown)
  | undefined

type Ask<Item, A, B, Answer> = (this: void, item: Item, a: A, b: B) => Answer | undefined
type First<Item, A, B, Answer> = (this: void, items: readonly Item[], a: A, b: B) => Answer | undefined

/** A longer list is processed in a loop. */
const unrolledMax = 100

/** The answer is kept in a variable: directly returning a call would count as a loop iteration. */
const dispatch = `local byLength, ready = ...
return function(items, a, b)
  local first = byLength[#items]
  if first == nil then
    ready(items)
    first = byLength[#items]
  end
  local answer = first(items, a, b)
  return answer
end`

export type FirstOf<Item, A, B, Answer> = {
  first: First<Item, A, B, Answer>
  /**
   * Creates the function for lists of this length, and returns the list. Call it where lists are made: if a request
   * creates the function, LuaJIT aborts the trace that it is recording.
   */
  ready<Items extends readonly Item[] | undefined>(this: void, items: Items): Items
}

/**
 * Tries lists of any length, `pieceItems` items per trace. Each call site has its own function, generated for its
 * `ask`. A function that occurs again further down its own call chain would count as recursion and end the trace, and
 * one that several call sites share would be compiled for the first of them, with a chain of side traces for the
 * others.
 */
export function firstOf<Item, A, B, Answer>(
  pieceItems: number,
  ask: Ask<Item, A, B, Answer>,
): FirstOf<Item, A, B, Answer> {
  // In Node, where the guards run in tests.
  if (typeof load !== 'function') return { first: looped(ask), ready: (items) => items }
  const byLength: Record<number, unknown> = {}
  const ready = function <Items extends readonly Item[] | undefined>(this: void, items: Items): Items {
    const count = items?.length
    if (count !== undefined && byLength[count] === undefined) byLength[count] = unrolled(count, pieceItems, ask)
    return items
  }
  return { first: load(dispatch, '=first of')(byLength as never, ready as never) as First<Item, A, B, Answer>, ready }
}

function looped<Item, A, B, Answer>(this: void, ask: Ask<Item, A, B, Answer>): First<Item, A, B, Answer> {
  return function (this: void, items, a, b) {
    for (const item of items) {
      const answer = ask(item, a, b)
      if (answer !== undefined) return answer
    }
    return undefined
  }
}

/** The function for lists of one length. */
function unrolled<Item, A, B, Answer>(
  this: void,
  count: number,
  pieceItems: number,
  ask: Ask<Item, A, B, Answer>,
): unknown {
  if (count > unrolledMax) return looped(ask)
  let text = 'local ask, split = ... return function(items, a, b) local answer '
  for (let i = 1; i <= count; i++) {
    if (i > 1 && i % pieceItems === 1) text += 'split() '
    text += `answer = ask(items[${i}], a, b) if answer ~= nil then return answer end `
  }
  return load!(`${text} return nil end`, `=first of ${count}`)(ask as never, beginTrace as never)
}
