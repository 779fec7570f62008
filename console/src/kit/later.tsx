/**
 * A component that is loaded when first shown, while the page around it does not wait: drawers and their dependencies.
 */
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { queryClient } from '../platform/calls.ts'

export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): (props: Props) => ReactNode {
  const Part = lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>
  // biome-ignore lint/correctness/noComponentHookFactories: called once per module, never while rendering
  return function Later(props: Props) {
    return (
      <Suspense>
        <Part {...props} />
      </Suspense>
    )
  }
}

/** How long rows that have arrived may take to be drawn, and how long calls may take, in ms. */
const drawnMs = 100
const waitsMs = 3_000

/**
 * Loads a part that is not what the page was opened for, after the calls that the page waits for are answered and drawn:
 * a slow processor would otherwise compile it first.
 */
export const afterCalls =
  <Loaded,>(load: () => Promise<Loaded>) =>
  async (): Promise<Loaded> => {
    const until = performance.now() + waitsMs
    do await new Promise((done) => setTimeout(done, drawnMs))
    while (queryClient.isFetching() > 0 && performance.now() < until)
    return load()
  }
