/** Overlays that take typed input: the palette in the middle, a popover at its button. */
import { Dialog } from '@base-ui/react/dialog'
import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'
import { cn } from './cn.ts'
import { useOpener } from './opener.ts'

export function Overlay({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const opener = useOpener()
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dim enter fixed inset-0 z-50 bg-black/30 dark:bg-black/60" />
        <Dialog.Popup
          aria-label={label}
          finalFocus={opener}
          className="enter fixed top-[12vh] left-1/2 z-50 w-[560px] max-w-[calc(100vw-24px)] -translate-x-1/2 overflow-hidden rounded-drawer border border-line bg-raised shadow-pop outline-none"
        >
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type PopoverProps = {
  trigger: ReactElement
  children: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'end'
  className?: string
  label?: string
}

export function Popover({ trigger, children, open, onOpenChange, align = 'start', className, label }: PopoverProps) {
  return (
    <Base.Root {...(open === undefined ? {} : { open })} onOpenChange={(next) => onOpenChange?.(next)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} className="z-60">
          <Base.Popup
            aria-label={label}
            className={cn(
              'enter max-w-[calc(100vw-16px)] overflow-hidden rounded-panel border border-line bg-raised shadow-pop outline-none',
              className,
            )}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
