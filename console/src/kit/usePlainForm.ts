/**
 * A form of a few text fields for a schema of the contract, without the form library of the console's other forms,
 * which would be a twelfth of what a first visit loads. It behaves the same: a field is validated when it is first left
 * and on every change from then on, all fields on submit, and the server's errors appear at their fields.
 */
import { type BaseSyntheticEvent, useRef, useState } from 'react'
import type { z } from 'zod'
import { Fault } from '../platform/fault.ts'
import { surfaceOf } from './error-surface.ts'
import type { SavedForm } from './FormFrame.tsx'
import { showFault } from './faults.tsx'
import type { BoundField } from './fields/source.ts'

type Texts = Record<string, string>

type Options<Values extends Texts, Body, Answer> = {
  values: Values
  save: (body: Body) => Promise<Answer>
  onSaved?: (answer: Answer) => void
}

export type PlainFormState = SavedForm & { busy: boolean; isDirty: boolean; bind: (name: string) => BoundField }

export function usePlainForm<Values extends Texts, Body, Answer>(
  schema: z.ZodType<Body, Values>,
  { values: initial, save, onSaved }: Options<Values, Body, Answer>,
): PlainFormState {
  const [first] = useState(initial)
  const [values, setValues] = useState<Texts>(first)
  const [reasons, setReasons] = useState<Texts>({})
  const [left, setLeft] = useState<readonly string[]>([])
  const [fault, setFault] = useState<Fault>()
  const [busy, setBusy] = useState(false)
  const [labels] = useState(() => new Map<string, string>())
  const inputs = useRef(new Map<string, HTMLElement>())
  // A field that loses focus to a button press is validated after the click, when the rendered values may be outdated.
  const current = useRef<Texts>(first)
  const saved = useRef(false)

  /** Shows the errors, and focuses the first invalid field. */
  function refuse(found: Texts): void {
    setReasons(found)
    const wrong = Object.keys(first).find((name) => found[name] !== undefined)
    if (wrong !== undefined) inputs.current.get(wrong)?.focus()
  }

  function takeFault(refused: Fault): void {
    if (surfaceOf(refused) === 'list' || surfaceOf(refused) === 'signIn') return void showFault(refused)
    const ours = refused.fields.filter(({ field }) => field in first)
    if (ours.length > 0) refuse(Object.fromEntries(ours.map(({ field, reason }) => [field, reason])))
    if (ours.length === 0 || ours.length < refused.fields.length) setFault(refused)
  }

  async function submit(event?: BaseSyntheticEvent): Promise<void> {
    event?.preventDefault()
    if (busy) return
    setFault(undefined)
    setLeft(Object.keys(first))
    const parsed = schema.safeParse(current.current)
    if (!parsed.success) return refuse(reasonsIn(parsed.error))
    setReasons({})
    setBusy(true)
    try {
      const answer = await save(parsed.data)
      saved.current = true
      onSaved?.(answer)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      takeFault(error)
    } finally {
      setBusy(false)
    }
  }

  /** Validates one field; the errors of the others stay. */
  function check(name: string): void {
    const parsed = schema.safeParse(current.current)
    const reason = parsed.success ? undefined : reasonsIn(parsed.error)[name]
    setReasons(({ [name]: _, ...others }) => (reason === undefined ? others : { ...others, [name]: reason }))
  }

  const bind = (name: string): BoundField => ({
    field: {
      name,
      value: values[name],
      onChange(given: string | { target: { value: string } }) {
        current.current = { ...current.current, [name]: typeof given === 'string' ? given : given.target.value }
        setValues(current.current)
        if (left.includes(name)) check(name)
      },
      onBlur() {
        if (left.includes(name)) return
        setLeft((names) => [...names, name])
        check(name)
      },
      ref(element: HTMLElement | null) {
        if (element) inputs.current.set(name, element)
        else inputs.current.delete(name)
      },
    },
    fault: reasons[name] === undefined ? undefined : { type: 'reason', message: reasons[name] },
  })

  const isDirty = Object.entries(first).some(([name, value]) => values[name] !== value)
  return { submit, busy, fault, isDirty, isSaved: () => saved.current, labels, bind }
}

/** Returns the first reason of each field. */
function reasonsIn({ issues }: z.ZodError): Texts {
  const reasons: Texts = {}
  for (const { path, message } of issues) reasons[String(path[0])] ??= message
  return reasons
}
