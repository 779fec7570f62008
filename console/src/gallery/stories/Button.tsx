import { X } from 'lucide-react'
import { Button, IconButton } from '../../kit/Button.tsx'
import type { Stories } from '../story.ts'

export const stories: Stories = {
  looks: () => (
    <div className="flex flex-wrap items-center gap-2">
      <Button look="solid">Solid</Button>
      <Button>Line</Button>
      <Button look="ghost">Ghost</Button>
      <Button look="danger">Danger</Button>
      <Button size="sm">Small</Button>
      <IconButton label="Close">
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  ),
  states: () => (
    <div className="flex flex-wrap items-center gap-2">
      <Button disabled>Disabled</Button>
      <Button look="solid" busy>
        Busy
      </Button>
    </div>
  ),
}
