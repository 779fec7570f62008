/**
 * Shortcuts on every page: `g` and a letter opens a page, `[` and `]` move between its parts, `/` focuses the search of
 * a list, `?` lists them all.
 */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { laterFloat } from '../kit/later-float.tsx'
import { usePlaces } from '../platform/places.ts'
import { useMay } from '../platform/session.ts'
import { focusPage } from './focus-page.ts'
import { goTos } from './shortcuts.ts'

const ShortcutHelp = laterFloat('dialog', () => import('./ShortcutHelp.tsx').then((file) => file.ShortcutHelp))

/** How long `g` waits for its letter, in ms. */
const waitsMs = 1_500

/** In text fields, keys are text; overlays keep the focus and have keys of their own. */
const taken =
  'input, textarea, select, [contenteditable="true"], dialog, [role=dialog], [role=alertdialog], [role=menu], [role=listbox]'
const isTaken = (target: EventTarget | null): boolean => target instanceof HTMLElement && target.closest(taken) !== null

/** Focuses the next or previous part of the page, so that its content is quickly reached by keyboard. */
function goToPart(step: 1 | -1): void {
  const parts = [
    ...document.querySelectorAll<HTMLElement>(
      'main h1, main section[aria-labelledby], main section[aria-label], main [role=region]',
    ),
  ]
  const here = document.activeElement
  const at = parts.findLastIndex((part) => part.contains(here))
  const next = parts[at < 0 ? (step > 0 ? 0 : parts.length - 1) : (at + step + parts.length) % parts.length]
  if (!next) return
  if (next.tabIndex < 0) next.tabIndex = -1
  next.focus()
  next.scrollIntoView({ block: 'nearest' })
}

export function Shortcuts() {
  const { tier } = usePlaces()
  const may = useMay()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const list = goTos(tier, may)
  const waitsUntil = useRef(0)

  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTaken(event.target)) return
      const isSecond = event.timeStamp < waitsUntil.current
      const found = isSecond && list.find(({ letter }) => letter === event.key)
      waitsUntil.current = event.key === 'g' && !isSecond ? event.timeStamp + waitsMs : 0
      if (found) {
        event.preventDefault()
        void navigate({ to: found.page.to }).then(focusPage)
      } else if (event.key === '?') {
        event.preventDefault()
        setOpen(true)
      } else if (event.key === '[' || event.key === ']') {
        event.preventDefault()
        goToPart(event.key === ']' ? 1 : -1)
      } else if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('main input[type=search]')
        if (search) event.preventDefault()
        search?.focus()
      }
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [list, navigate])

  return isOpen ? <ShortcutHelp pages={list} onClose={() => setOpen(false)} /> : null
}
