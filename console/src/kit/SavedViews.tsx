/** Named views of a list: its filters, sort order and look. The component that renders it stores them. */

import type { UseQueryResult } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Bookmark, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Fault } from '../platform/fault.ts'
import { useListLook } from '../platform/list-look.ts'
import { usePhrases } from '../platform/phrases.ts'
import { Button, IconButton } from './Button.tsx'
import { Failed, showFault } from './faults.tsx'
import { Input } from './Input.tsx'
import { Popover } from './Overlay.tsx'
import { inView, placeOf } from './view-address.ts'

type View = {
  name: string
  /** The search parameters. */
  search: Record<string, Value>
  hidden: string[]
  order: string[]
}
type Value = string | number | boolean | string[]

type Props = {
  /** The list whose look belongs to a view. */
  list: string
  /** The known views, even before they were fetched. */
  views: readonly View[]
  /** The call that fetches them; started by `onOpen`. */
  call: Pick<UseQueryResult<unknown, Fault>, 'data' | 'error' | 'refetch'>
  onOpen: () => void
  save: (alter: (views: View[]) => View[]) => Promise<unknown>
  isSaving: boolean
}

const nameMax = 60

export function SavedViews({ list, views, call, onOpen, save: keep, isSaving }: Props) {
  const t = usePhrases('kit')
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const [look, setLook] = useListLook(list)
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const now = JSON.stringify(inView(search))
  const current = views.find((view) => JSON.stringify(view.search) === now)

  async function save(event: FormEvent) {
    event.preventDefault()
    const text = name.trim().slice(0, nameMax)
    if (text === '') return
    const view = { name: text, search: inView(search) as View['search'], hidden: look.hidden, order: look.order }
    try {
      await keep((all) => [...all.filter((one) => one.name !== text), view])
      setName('')
      setOpen(false)
    } catch (fault) {
      await showFault(fault)
    }
  }
  function show(view: View) {
    setLook({ ...look, hidden: view.hidden, order: view.order })
    void navigate({ to: '.', search: { ...placeOf(search), ...view.search } as never, resetScroll: false })
    setOpen(false)
  }
  return (
    <Popover
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        if (next) onOpen()
      }}
      label={t('views')}
      className="w-[280px] p-3"
      trigger={
        <Button size="sm" look="ghost" className="h-7 max-w-[200px]">
          <Bookmark size={13} aria-hidden />
          <span className="truncate">{current?.name ?? t('views')}</span>
        </Button>
      }
    >
      {call.error && !call.data ? (
        <Failed fault={call.error} retry={() => call.refetch()} />
      ) : !call.data && views.length === 0 ? (
        <div className="skeleton appear-late mb-2 h-8" />
      ) : views.length === 0 ? (
        <p className="mb-2 text-ink-3">{t('views.none')}</p>
      ) : (
        <ul className="-mx-1.5 mb-2 max-h-[280px] overflow-y-auto">
          {views.map((view) => (
            <li key={view.name} className="flex items-center gap-1">
              <button
                type="button"
                aria-current={view === current || undefined}
                className="min-h-8 min-w-0 flex-1 truncate rounded-control px-1.5 text-left hover:bg-mute aria-[current]:font-semibold"
                onClick={() => show(view)}
              >
                {view.name}
              </button>
              <IconButton
                size="iconSm"
                label={t('views.remove', { name: view.name })}
                disabled={isSaving}
                onClick={() => void keep((all) => all.filter((one) => one.name !== view.name)).catch(showFault)}
              >
                <X size={13} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={save} className="flex gap-2 border-line border-t pt-3">
        <Input
          aria-label={t('views.name')}
          placeholder={t('views.name')}
          value={name}
          maxLength={nameMax}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" busy={isSaving} disabled={name.trim() === ''}>
          {t('views.save')}
        </Button>
      </form>
    </Popover>
  )
}
