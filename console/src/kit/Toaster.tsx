/** Short messages: 50 px from the top, in a live region. Loaded with the first page after sign-in. */
import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { usePhrases } from '../platform/phrases.ts'
import { showThrough } from '../platform/toasts.ts'
import { cn } from './cn.ts'

const manager = Toast.createToastManager()

function List() {
  const t = usePhrases('kit')
  return Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={cn(
        'enter pointer-events-auto flex w-full items-start gap-2.5 rounded-[9px] px-3.5 py-2.5 shadow-pop',
        toast.type === 'failed' ? 'border border-line bg-raised text-ink' : 'bg-solid text-on-solid',
      )}
    >
      {toast.type === 'failed' ? (
        <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-bad" />
      ) : (
        <CircleCheck size={16} aria-hidden className="mt-0.5 shrink-0" />
      )}
      <Toast.Content className="min-w-0 flex-1">
        <Toast.Title className="break-words" />
        {toast.description && (
          <Toast.Description
            className={toast.type === 'failed' ? 'mono break-all text-ink-3' : 'break-words opacity-80'}
          />
        )}
      </Toast.Content>
      {toast.actionProps && (
        <Toast.Action className="-my-1 shrink-0 rounded-[5px] px-2 py-1 font-semibold underline-offset-4 hover:underline" />
      )}
      <Toast.Close
        aria-label={t('close')}
        // Base UI hides it from screen readers while toasts are stacked. Ours never are, and Tab reaches it.
        aria-hidden={false}
        className="-m-1 shrink-0 rounded-[5px] p-1 opacity-70 hover:opacity-100"
      >
        <X size={14} aria-hidden />
      </Toast.Close>
    </Toast.Root>
  ))
}

export function Toaster() {
  const t = usePhrases('kit')
  /** The toast of the last completed action, while it is shown. */
  const lastDone = useRef<{ id: string; hasUndo: boolean; isHeadline: boolean }>(undefined)
  /** Which toast shows a story. */
  const told = useRef(new WeakMap<object, NonNullable<typeof lastDone.current>>())
  // Only from here on does the toast manager have a listener.
  useEffect(
    () =>
      showThrough(({ undo, story, ...message }) => {
        const begun = story && told.current.get(story)
        const last = begun ?? (story && lastDone.current)
        const id: string = last?.id ?? crypto.randomUUID?.() ?? String(Math.random())
        function onClick() {
          manager.close(id)
          undo?.()
        }
        // An undo that is already offered stays: it reverts the same change.
        const action = undo && !last?.hasUndo ? { actionProps: { children: t('undo'), onClick } } : {}
        if (story && last) {
          told.current.set(story, last)
          const { title, ...rest } = message
          // A toast that was closed meanwhile stays closed.
          manager.update(id, last.isHeadline ? { ...rest, description: title, ...action } : { ...message, ...action })
          return
        }
        const onClose = () => {
          if (lastDone.current?.id === id) lastDone.current = undefined
        }
        manager.add({ id, ...message, ...action, onClose })
        const shown = { id, hasUndo: undo !== undefined && !story, isHeadline: !story }
        if (story) told.current.set(story, shown)
        if (message.type === 'done') lastDone.current = shown
      }),
    [t],
  )
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className="pointer-events-none fixed bottom-4 left-4 z-70 flex w-fit min-w-60 max-w-[min(480px,calc(100vw-24px))] flex-col-reverse items-start gap-2 max-sm:bottom-20 max-sm:left-1/2 max-sm:-translate-x-1/2">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}
