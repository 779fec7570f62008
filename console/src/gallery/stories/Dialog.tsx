import { type ReactNode, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Dialog, Drawer } from '../../kit/Dialog.tsx'
import { Input } from '../../kit/Input.tsx'
import type { Stories } from '../story.ts'

/** Opens on a click, so that it is visible where the focus goes and where it returns. */
function Opened({ word, show }: { word: string; show: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(true)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{word}</Button>
      {isOpen && show(() => setOpen(false))}
    </>
  )
}

export const stories: Stories = {
  dialog: {
    alone: true,
    show: () => (
      <Opened
        word="Ask"
        show={(close) => (
          <Dialog title="Remove two sites" onClose={close} footer={<Button look="danger">Remove</Button>}>
            <p>Their domains, rules and certificates go with them.</p>
          </Dialog>
        )}
      />
    ),
  },
  drawer: {
    alone: true,
    show: () => (
      <Opened
        word="Edit"
        show={(close) => (
          <Drawer title="Edit rule" onClose={close} footer={<Button look="solid">Save</Button>}>
            <Input aria-label="Name" />
          </Drawer>
        )}
      />
    ),
  },
}
