/** Waits for the end of a press: what moves the page between a button's press and its release takes the click away. */
let isPressed = false
if (typeof document !== 'undefined') {
  const on = { capture: true, passive: true }
  document.addEventListener('pointerdown', () => (isPressed = true), on)
  for (const end of ['pointerup', 'pointercancel'] as const)
    document.addEventListener(end, () => (isPressed = false), on)
}

/** Runs it at once, or after the click where a press is going on: a field that is left by a press on a button shows its fault then. */
export function afterPress(run: () => void): void {
  if (!isPressed) {
    run()
    return
  }
  const controller = new AbortController()
  const on = { capture: true, signal: controller.signal }
  const ended = () => {
    controller.abort()
    // The click comes with the release; this after both.
    setTimeout(run)
  }
  for (const end of ['pointerup', 'pointercancel'] as const) document.addEventListener(end, ended, on)
}
