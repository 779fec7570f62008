/** Restores the focus to the element that opened an overlay. */
import { useState } from 'react'

/** For the placeholder shown while an overlay loads: the element focused before. */
const held = new WeakMap<Element, Element | null>()

/** A menu item disappears with its menu, so the button that opened the menu is used. */
function lasting(element: Element | null): Element | null {
  const opener = element?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return (opener && document.getElementById(opener)) || element
}

/**
 * Opens a placeholder over the page and focuses its first button. Returns a function that gives the focus back. It is
 * no modal dialog of the browser: those make the page inert and then active again, and each recalculates the style of
 * every element, which takes longer than the rest of opening a drawer.
 */
export function hold(shell: HTMLDialogElement): () => void {
  held.set(shell, lasting(document.activeElement))
  shell.showPopover()
  shell.querySelector('button')?.focus({ preventScroll: true })
  return () => {
    const back = held.get(shell)
    if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true })
  }
}

/**
 * Remembers what had the focus before a field inside took it: the focus returns there on closing, if it still exists.
 */
export function useOpener(): () => HTMLElement | true {
  const [opener] = useState(() => {
    const at = document.activeElement
    const shell = at?.closest('dialog')
    return shell ? held.get(shell) : at
  })
  return () => (opener instanceof HTMLElement && opener !== document.body && opener.isConnected ? opener : true)
}
