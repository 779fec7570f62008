import { type ReactNode, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Dialog, Drawer } from '../../kit/Dialog.tsx'
import { Input } from '../../kit/Input.tsx'
import { laterFloat } from '../../kit/later-float.tsx'
import { Menu, MenuItem } from '../../kit/Menu.tsx'
import type { Stories } from '../story.ts'

type Close = { onClose: () => void }
type Kind = { shape: 'drawer' | 'dialog'; Part: (props: Close) => ReactNode }

const drawer: Kind = {
  shape: 'drawer',
  Part: ({ onClose }) => (
    <Drawer title="Edit rule" onClose={onClose} isForm>
      <Input aria-label="Name" />
    </Drawer>
  ),
}
const dialog: Kind = {
  shape: 'dialog',
  Part: ({ onClose }) => (
    <Dialog title="Ask first" onClose={onClose}>
      Sure.
    </Dialog>
  ),
}

/** The content arrives when the page receives the `arrive` event: a slow network that a test can control. */
function Opened({ word, kind, isMenu }: { word: string; kind: Kind; isMenu?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const [Later] = useState(() =>
    laterFloat(
      kind.shape,
      () => new Promise<Kind['Part']>((done) => addEventListener('arrive', () => done(kind.Part), { once: true })),
    ),
  )
  const open = () => setOpen(true)
  return (
    <>
      {isMenu ? (
        <Menu trigger={<Button>{word}</Button>}>
          <MenuItem onClick={open}>Open</MenuItem>
        </Menu>
      ) : (
        <Button onClick={open}>{word}</Button>
      )}
      {isOpen && <Later onClose={() => setOpen(false)} />}
    </>
  )
}

export const stories: Stories = {
  drawer: () => <Opened word="Edit later" kind={drawer} />,
  dialog: () => <Opened word="Ask later" kind={dialog} />,
  'from a menu': () => <Opened word="More later" kind={dialog} isMenu />,
}
