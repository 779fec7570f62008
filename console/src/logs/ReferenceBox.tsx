/** Finds a request by its id or by the reference on a refusal page, whichever of the user's sites it belongs to. */
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Input } from '../kit/Input.tsx'
import { useExplainPlace } from '../platform/explain-place.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'

export function ReferenceBox({ site }: { site: number | undefined }) {
  const t = usePhrases('logs')
  const placeOf = useExplainPlace()
  const navigate = useNavigate()
  const may = useMay()
  const [text, setText] = useState('')
  if (!may('logs.explain')) return null
  function look(event: FormEvent) {
    event.preventDefault()
    if (text.trim() === '') return
    const { to, search } = placeOf(text.trim(), site)
    void navigate({ to, search: search as never })
  }
  return (
    <form onSubmit={look} className="w-60 max-w-full max-sm:w-52">
      <Input
        type="search"
        aria-label={t('explain.reference')}
        placeholder={t('explain.reference')}
        value={text}
        maxLength={128}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  )
}
