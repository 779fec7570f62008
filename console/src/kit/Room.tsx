/** How many entries a list has out of its maximum, and the button that adds one, disabled once the list is full. */
import { useId } from 'react'
import { Button, type ButtonLook } from './Button.tsx'

/** `total` is undefined until the list has been fetched. */
export type Room = { total: number | undefined; max: number }

type WordsProps = { room: Room; text: string; full: string }

/** `text` states the number of entries; `full` replaces it, saying that something must be removed first. */
export function RoomWords({ room: { total, max }, text, full }: WordsProps) {
  if (total === undefined) return null
  return <span className={total < max ? 'num text-ink-3' : 'num text-warn'}>{total < max ? text : full}</span>
}

type AddProps = ButtonLook & { room: Room; label: string; full: string; onPress: () => void }

/** The reason why it is disabled is its description and its tooltip. */
export function AddButton({ room: { total = 0, max }, label, full, onPress, ...look }: AddProps) {
  const id = useId()
  if (total < max)
    return (
      <Button {...look} onClick={onPress}>
        {label}
      </Button>
    )
  return (
    <span title={full}>
      <Button {...look} disabled focusableWhenDisabled aria-describedby={id}>
        {label}
      </Button>
      <span id={id} className="sr-only">
        {full}
      </span>
    </span>
  )
}
