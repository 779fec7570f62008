/** Drawers and dialogs that are loaded when first opened: a placeholder holds the focus until then. */
import { X } from 'lucide-react'
import { type ComponentType, type KeyboardEvent, lazy, type ReactNode, Suspense, useLayoutEffect, useRef } from 'react'
import { usePhrases } from '../platform/phrases.ts'
import { IconButton } from './Button.tsx'
import { hold } from './opener.ts'

type Shape = 'drawer' | 'dialog'

export function laterFloat<Props extends object>(
  shape: Shape,
  load: () => Promise<ComponentType<Props>>,
): (props: Props & { onClose: () => void }) => ReactNode {
  const Part = lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>
  // biome-ignore lint/correctness/noComponentHookFactories: called once per module, never while rendering
  return function LaterFloat(props: Props & { onClose: () => void }) {
    return (
      <Suspense fallback={<Shell shape={shape} onClose={props.onClose} />}>
        <Part {...props} />
      </Suspense>
    )
  }
}

const shapes = {
  drawer:
    'inset-y-2 right-2 w-[600px] max-w-[calc(100vw-16px)] max-sm:inset-0 max-sm:w-full max-sm:max-w-full max-sm:rounded-none max-sm:border-0',
  dialog: 'top-[100px] left-1/2 w-[400px] max-w-[calc(100vw-24px)] -translate-x-1/2 max-sm:top-6',
}

/**
 * Available at once: it covers the page and keeps the focus, Escape closes it, and the focus is restored. It is
 * invisible for a moment, as the content mostly arrives sooner.
 */
function Shell({ shape, onClose }: { shape: Shape; onClose: () => void }) {
  const t = usePhrases('kit')
  const shell = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => hold(shell.current!), [])
  function press(event: KeyboardEvent) {
    // The keys belong to what opens, not to the page or the drawer behind it.
    event.stopPropagation()
    // Its only button has the focus: Tab would leave it.
    if (event.key === 'Tab' || event.key === 'Escape') event.preventDefault()
    if (event.key === 'Escape') onClose()
  }
  return (
    <dialog
      ref={shell}
      popover="manual"
      aria-label={t('loading')}
      aria-modal
      aria-busy
      className="waits fixed inset-0 m-0 size-full max-h-none max-w-none border-0 bg-transparent p-0 text-ink outline-none"
      onKeyDown={press}
      // A press beside the button does not take the focus from it.
      onMouseDown={(event) => event.preventDefault()}
    >
      <div className={`absolute rounded-drawer border border-line bg-raised shadow-pop ${shapes[shape]}`}>
        <div className="flex min-h-[52px] items-center justify-between gap-3 border-line border-b pr-3 pl-5">
          <div className="skeleton h-4 w-40" />
          <IconButton label={t('close')} onClick={onClose}>
            <X size={16} aria-hidden />
          </IconButton>
        </div>
        <div className="grid gap-3 px-5 py-[18px]">
          <div className="skeleton h-4 w-2/3" />
          <div className="skeleton h-8" />
          <div className="skeleton h-4 w-1/2" />
        </div>
      </div>
    </dialog>
  )
}
