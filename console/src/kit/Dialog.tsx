/** Overlays above the page: a dialog in the middle and a drawer at the side. */
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { usePhrases } from '../platform/phrases.ts'
import { IconButton } from './Button.tsx'
import { cn } from './cn.ts'
import { useOpener } from './opener.ts'

/**
 * The same z-index as the overlays: in the document it comes before its own overlay and after the drawer that opened
 * it.
 */
const backdrop = 'dim enter fixed inset-0 z-50 bg-black/30 dark:bg-black/60'

type DialogProps = {
  title: string
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
  wide?: boolean
  /** Stays visible above the scrolling part. */
  head?: ReactNode
  /**
   * The content is to be read first: the focus is on the dialog, so that focusing a field does not scroll the rest
   * away.
   */
  isRead?: boolean
}

/** 400 px wide and 100 px from the top; `wide` for comparisons. */
export function Dialog({ title, onClose, children, footer, wide, head, isRead }: DialogProps) {
  const opener = useOpener()
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop forceRender className={backdrop} />
        <Base.Popup
          ref={popup}
          finalFocus={opener}
          {...(isRead ? { initialFocus: popup } : {})}
          className={cn(
            'enter fixed top-[100px] left-1/2 z-50 flex max-h-[calc(100dvh-120px)] max-w-[calc(100vw-24px)] -translate-x-1/2 flex-col rounded-drawer border border-line bg-raised shadow-pop outline-none max-sm:top-6',
            wide ? 'w-[720px]' : 'w-[400px]',
          )}
        >
          <Base.Title className="px-5 pt-4 font-semibold text-[15px] leading-6">{title}</Base.Title>
          {head && <div className="shrink-0 border-line border-b px-5 pt-2 pb-3">{head}</div>}
          <div className={cn('overflow-y-auto px-5 pb-4', head ? 'pt-4' : 'pt-2')}>{children}</div>
          {footer && <div className="flex flex-wrap justify-end gap-2 border-line border-t px-5 py-3">{footer}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

type DrawerProps = {
  title: ReactNode
  aside?: ReactNode
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
  /** It was opened for typing: its first field gets the focus, not the button that closes it. */
  isForm?: boolean
}

const typedInto = 'input:not([type=hidden],[type=file],[type=color],[aria-hidden=true],[tabindex="-1"]), textarea'

/** 600 px wide with a sticky footer; full screen on a phone. */
export function Drawer({ title, aside, onClose, children, footer, isForm }: DrawerProps) {
  const t = usePhrases('kit')
  const body = useRef<HTMLDivElement>(null)
  const opener = useOpener()
  /** A field that focused itself keeps the focus; on touch, no field is focused, so that no keyboard pops up. */
  function firstField(by: string): HTMLElement | true {
    const focused = document.activeElement as HTMLElement | null
    if (focused && body.current?.contains(focused)) return focused
    return (by !== 'touch' && isForm && body.current?.querySelector<HTMLElement>(typedInto)) || true
  }
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop forceRender className={backdrop} />
        <Base.Popup
          initialFocus={firstField}
          finalFocus={opener}
          className="enter enter-right fixed inset-y-2 right-2 z-50 flex w-[600px] max-w-[calc(100vw-16px)] flex-col rounded-drawer border border-line bg-raised shadow-pop outline-none max-sm:inset-0 max-sm:w-full max-sm:max-w-full max-sm:rounded-none max-sm:border-0"
        >
          <header className="flex min-h-[52px] items-center justify-between gap-3 border-line border-b pr-3 pl-5">
            <Base.Title className="min-w-0 truncate font-semibold text-[15px] leading-6">{title}</Base.Title>
            <span className="flex items-center gap-2">
              {aside}
              <Base.Close
                render={
                  <IconButton label={t('close')}>
                    <X size={16} aria-hidden />
                  </IconButton>
                }
              />
            </span>
          </header>
          <div ref={body} className="flex-1 overflow-y-auto px-5 py-[18px]">
            {children}
          </div>
          {footer && (
            <footer className="flex min-h-[54px] flex-wrap items-center gap-2 border-line border-t px-5 py-2.5">
              {footer}
            </footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
