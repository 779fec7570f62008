/** Where short messages stand: 50 px from the top (rules G17), in a live region. Loaded with the first page behind the door. */
import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect } from 'react'
import { usePhrases } from '../app/phrases.ts'
import { cn } from './cn.ts'
import { showThrough } from './toasts.ts'

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
        {toast.description && <Toast.Description className="mono break-all text-ink-3" />}
      </Toast.Content>
      {toast.actionProps && (
        <Toast.Action className="-my-1 shrink-0 rounded-[5px] px-2 py-1 font-semibold underline-offset-4 hover:underline" />
      )}
      <Toast.Close aria-label={t('close')} className="-m-1 shrink-0 rounded-[5px] p-1 opacity-70 hover:opacity-100">
        <X size={14} aria-hidden />
      </Toast.Close>
    </Toast.Root>
  ))
}

export function Toaster() {
  const t = usePhrases('kit')
  // Only now is there somebody who listens to the manager.
  useEffect(
    () =>
      showThrough(({ undo, ...message }) => {
        const id: string = manager.add({
          ...message,
          ...(undo ? { actionProps: { children: t('undo'), onClick } } : {}),
        })
        function onClick() {
          manager.close(id)
          undo?.()
        }
      }),
    [t],
  )
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className="pointer-events-none fixed top-[50px] left-1/2 z-70 flex w-fit min-w-60 max-w-[min(480px,calc(100vw-24px))] -translate-x-1/2 flex-col items-center gap-2">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}
