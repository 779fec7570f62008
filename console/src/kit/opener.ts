/** The way back of what floats: to what opened it. */
import { useState } from 'react'

/** What had the focus before a field within took it: there it goes back when this closes, if it is still there. */
export function useOpener(): () => HTMLElement | true {
  const [opener] = useState(() => document.activeElement)
  return () => (opener instanceof HTMLElement && opener !== document.body && opener.isConnected ? opener : true)
}
