/** A form in a drawer, saved with Ctrl or Cmd + S. */
import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { usePhrases } from '../platform/phrases.ts'
import { Button } from './Button.tsx'
import { Drawer } from './Dialog.tsx'
import { Form } from './Form.tsx'
import type { ResourceForm } from './useResourceForm.ts'

type DrawerProps = {
  form: ResourceForm
  title: string
  onClose: () => void
  children: ReactNode
  /** The label of the button; `Save` by default. */
  saveLabel?: string
}

export function FormDrawer({ form, title, onClose, children, saveLabel }: DrawerProps) {
  const t = usePhrases('kit')
  const id = useId()
  function saveByKey(event: KeyboardEvent) {
    if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    void form.submit()
  }
  return (
    <Drawer
      isForm
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button look="solid" type="submit" form={id} busy={form.busy}>
            {saveLabel ?? t('save')}
          </Button>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <span className="ml-auto text-ink-3 text-xs max-sm:hidden">{t('saveKeys')}</span>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: key events of the fields inside bubble up to here */}
      <div onKeyDown={saveByKey}>
        <Form form={form} id={id}>
          {children}
        </Form>
      </div>
    </Drawer>
  )
}
