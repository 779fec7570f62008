/**
 * Asks one after the other until one has an answer, without a loop: LuaJIT compiles a phase as one piece, from its first
 * line to its last, only where nothing in it loops, and leaves it to its interpreter otherwise. So there is a function
 * for each length of list, made of text of our own when such a list is first asked.
 *
 * Between so many items a new piece begins, as a piece has a bound too.
 */

import { beginPiece } from './begin-piece.ts'

/** Of Lua: makes a function of its text. */
declare const load:
  | ((this: void, text: string, name: string) => (this: void, ...values: never[]) => unknown)
  | undefined

type Ask<Item, A, B, Answer> = (this: void, item: Item, a: A, b: B) => Answer | undefined
type First<Item, A, B, Answer> = (this: void, items: readonly Item[], a: A, b: B) => Answer | undefined

/** A longer list is asked in a loop. */
const unrolledMax = 100

/** Answers are kept in variables: a call that is returned at once counts as a turn of a loop. */
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
   * Makes the function for lists of this length, and returns the list. For whoever makes lists: where a request makes the
   * function, LuaJIT gives up the piece that it is recording.
   */
  ready<Items extends readonly Item[] | undefined>(this: void, items: Items): Items
}

/**
 * What asks lists of any length, so many items a piece. Each place that asks has its own, made of text anew for what it
 * asks: a function that is met again further down in its own calls counts as a recursion and ends the piece, and one that
 * several places share is compiled for the first of them, with a chain of branches for the others.
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
  return load!(`${text} return nil end`, `=first of ${count}`)(ask as never, beginPiece as never)
}
