/**
 * A component that is loaded when first shown, while the page around it does not wait: drawers and their dependencies.
 */
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

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
