/** Whether a click on a row means the row: not a control in it, nor the end of a text selection. */
import type { MouseEvent } from 'react'

export function isPlainClick(event: MouseEvent): boolean {
  const isControl = (event.target as HTMLElement).closest('a, button, input, label, select, textarea, [role=menuitem]')
  return !isControl && !event.defaultPrevented && String(getSelection() ?? '') === ''
}
