import { Button } from '../../kit/Button.tsx'
import { Dialog, Drawer } from '../../kit/Dialog.tsx'
import type { Stories } from '../story.ts'

const stay = () => {}

export const stories: Stories = {
  dialog: {
    alone: true,
    show: () => (
      <Dialog title="Remove two sites" onClose={stay} footer={<Button look="danger">Remove</Button>}>
        <p>Their domains, rules and certificates go with them.</p>
      </Dialog>
    ),
  },
  drawer: {
    alone: true,
    show: () => (
      <Drawer title="Edit rule" onClose={stay} footer={<Button look="solid">Save</Button>}>
        <p>What is typed here is kept until it is saved.</p>
      </Drawer>
    ),
  },
}
