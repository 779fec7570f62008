/** Keys that work on every page: `g` and a letter goes to a page, `[` and `]` from part to part of it, `/` to the search of a list, `?` shows them all. */
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { focusPage } from './focus-page.ts'
import { usePhrases } from './phrases.ts'
import { usePlaces } from './places.ts'
import { useMay } from './session.ts'
import { type GoTo, goTos } from './shortcuts.ts'

/** How long `g` waits for its letter. */
const waitsMs = 1_500

/** Whoever types means letters, and what floats keeps the focus and has keys of its own. */
const taken =
  'input, textarea, select, [contenteditable="true"], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]'
const isTaken = (target: EventTarget | null): boolean => target instanceof HTMLElement && target.closest(taken) !== null

/** The first or the next part of the page gets the focus, so that the way to what is in it is short. */
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
        void navigate({ to: found.to }).then(focusPage)
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

function ShortcutHelp({ pages, onClose }: { pages: GoTo[]; onClose: () => void }) {
  const t = usePhrases('app')
  const tKit = usePhrases('kit')
  return (
    <Dialog wide title={t('keys.title')} onClose={onClose} footer={<Button onClick={onClose}>{tKit('close')}</Button>}>
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <Group title={t('keys.go')}>
          {pages.map(({ letter, page, to }) => (
            <Row key={to} keys={['g', letter]}>
              {t(page.title)}
            </Row>
          ))}
        </Group>
        <div className="space-y-4">
          <Group title={t('keys.everywhere')}>
            <Row keys={['Ctrl', 'K']}>{t('palette.open')}</Row>
            <Row keys={['[', ']']}>{t('keys.part')}</Row>
            <Row keys={['/']}>{t('keys.search')}</Row>
            <Row keys={['?']}>{t('keys.title')}</Row>
            <Row keys={['Esc']}>{t('keys.close')}</Row>
          </Group>
          <Group title={t('keys.lists')}>
            <Row keys={['j', 'k']}>{t('keys.move')}</Row>
            <Row keys={['x']}>{t('keys.choose')}</Row>
            <Row keys={['Enter']}>{t('keys.open')}</Row>
          </Group>
          <Group title={t('keys.forms')}>
            <Row keys={['Ctrl', 'S']}>{tKit('save')}</Row>
          </Group>
          <Group title={t('keys.charts')}>
            <Row keys={['←', '→']}>{t('keys.cursor')}</Row>
            <Row keys={['Shift', '→']}>{t('keys.range')}</Row>
            <Row keys={['Enter']}>{t('keys.zoom')}</Row>
            <Row keys={['z']}>{t('keys.zoomOut')}</Row>
          </Group>
        </div>
      </div>
    </Dialog>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-ink-3 text-xs">{title}</h3>
      <dl>{children}</dl>
    </section>
  )
}

function Row({ keys, children }: { keys: readonly string[]; children: ReactNode }) {
  return (
    <div className="flex min-h-7 items-center justify-between gap-4">
      <dt className="min-w-0 truncate">{children}</dt>
      <dd className="flex shrink-0 gap-1">
        {keys.map((key) => (
          <kbd
            key={key}
            className="min-w-5 rounded-[4px] border border-line px-[5px] text-center font-medium font-sans text-[11px] text-ink-2 leading-[18px]"
          >
            {key}
          </kbd>
        ))}
      </dd>
    </div>
  )
}
