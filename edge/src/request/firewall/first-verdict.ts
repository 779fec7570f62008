/** Asks one after the other until one has a verdict. */
import type { EdgeRequest, Tools, Verdict } from '../guard.ts'

type Ask<Item> = (this: void, item: Item, request: EdgeRequest, tools: Tools) => Verdict | undefined

/**
 * The first verdict of a list. Nearly all lists are short, and a request through them has no loop: LuaJIT compiles what
 * has none as one piece, from a phase's first line to its last, and leaves to its interpreter what leads to a loop.
 */
export function firstVerdict<Item>(
  items: readonly Item[],
  ask: Ask<Item>,
  request: EdgeRequest,
  tools: Tools,
): Verdict | undefined {
  const count = items.length
  if (count === 0) return undefined
  let verdict = ask(items[0]!, request, tools)
  if (verdict !== undefined || count === 1) return verdict
  verdict = ask(items[1]!, request, tools)
  if (verdict !== undefined || count === 2) return verdict
  verdict = ask(items[2]!, request, tools)
  if (verdict !== undefined || count === 3) return verdict
  verdict = ask(items[3]!, request, tools)
  if (verdict !== undefined || count === 4) return verdict
  verdict = ask(items[4]!, request, tools)
  if (verdict !== undefined || count === 5) return verdict
  verdict = ask(items[5]!, request, tools)
  for (let i = 6; i < count && verdict === undefined; i++) verdict = ask(items[i]!, request, tools)
  return verdict
}
