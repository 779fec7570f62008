/** The way back of what floats: to what opened it. */
import { useState } from 'react'

/** By the shell that stands for a float while it loads: what had the focus before. */
const held = new WeakMap<Element, Element | null>()

/** An entry of a menu is gone with its menu: what opened the menu stays. */
function lasting(element: Element | null): Element | null {
  const opener = element?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return (opener && document.getElementById(opener)) || element
}

/** Opens a shell over the page, which then can neither be reached nor pressed. Returns what closes it. */
export function hold(shell: HTMLDialogElement): () => void {
  held.set(shell, lasting(document.activeElement))
  shell.showModal()
  return () => {
    shell.close()
    const back = held.get(shell)
    if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true })
  }
}

/** What had the focus before a field within took it: there it goes back when this closes, if it is still there. */
export function useOpener(): () => HTMLElement | true {
  const [opener] = useState(() => {
    const at = document.activeElement
    const shell = at?.closest('dialog')
    return shell ? held.get(shell) : at
  })
  return () => (opener instanceof HTMLElement && opener !== document.body && opener.isConnected ? opener : true)
}
