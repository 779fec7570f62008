/** A part that is loaded when it is first shown, without the page around it waiting: drawers and what they bring along. */
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): (props: Props) => ReactNode {
  const Part = lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>
  // biome-ignore lint/correctness/noComponentHookFactories: called once a module, never while rendering
  return function Later(props: Props) {
    return (
      <Suspense>
        <Part {...props} />
      </Suspense>
    )
  }
}
