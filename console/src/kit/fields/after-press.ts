/** Waits for the end of a press: moving the page between the press and release of a button would lose the click. */
let isPressed = false
if (typeof document !== 'undefined') {
  const on = { capture: true, passive: true }
  document.addEventListener('pointerdown', () => (isPressed = true), on)
  for (const end of ['pointerup', 'pointercancel'] as const)
    document.addEventListener(end, () => (isPressed = false), on)
}

/**
 * Runs it at once, or after the click if a press is in progress: a field that loses focus to a button shows its error
 * only then.
 */
export function afterPress(run: () => void): void {
  if (!isPressed) {
    run()
    return
  }
  const controller = new AbortController()
  const on = { capture: true, signal: controller.signal }
  const ended = () => {
    controller.abort()
    // The click follows the release; this runs after both.
    setTimeout(run)
  }
  for (const end of ['pointerup', 'pointercancel'] as const) document.addEventListener(end, ended, on)
}
