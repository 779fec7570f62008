/** Named views of a list: its filters, its sort and its look, kept for the person in this browser. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Bookmark, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { z } from 'zod'
import { usePhrases } from '../app/phrases.ts'
import { useRemembered } from '../app/remembered.ts'
import { Button, IconButton } from './Button.tsx'
import { Input } from './Input.tsx'
import { useListLook } from './list-look.ts'
import { Popover } from './Overlay.tsx'
import { inView, placeOf } from './view-address.ts'

const Views = z.object({
  views: z
    .array(
      z.object({
        name: z.string(),
        search: z.record(z.string(), z.unknown()),
        hidden: z.array(z.string()),
        order: z.array(z.string()),
      }),
    )
    .catch([]),
})

const nameMax = 60

export function SavedViews({ list }: { list: string }) {
  const t = usePhrases('kit')
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const [{ views }, keep] = useRemembered(`views.${list}`, Views)
  const [look, setLook] = useListLook(list)
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const now = JSON.stringify(inView(search))
  const current = views.find((view) => JSON.stringify(view.search) === now)

  function save(event: FormEvent) {
    event.preventDefault()
    const text = name.trim().slice(0, nameMax)
    if (text === '') return
    const view = { name: text, search: inView(search), hidden: look.hidden, order: look.order }
    keep({ views: [...views.filter((one) => one.name !== text), view] })
    setName('')
    setOpen(false)
  }
  function show(view: (typeof views)[number]) {
    setLook({ ...look, hidden: view.hidden, order: view.order })
    void navigate({ to: '.', search: { ...placeOf(search), ...view.search } as never, resetScroll: false })
    setOpen(false)
  }
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={t('views')}
      className="w-[280px] p-3"
      trigger={
        <Button size="sm" look="ghost" className="h-7 max-w-[200px]">
          <Bookmark size={13} aria-hidden />
          <span className="truncate">{current?.name ?? t('views')}</span>
        </Button>
      }
    >
      {views.length === 0 ? (
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
                onClick={() => keep({ views: views.filter((one) => one !== view) })}
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
        <Button type="submit" disabled={name.trim() === ''}>
          {t('views.save')}
        </Button>
      </form>
    </Popover>
  )
}
