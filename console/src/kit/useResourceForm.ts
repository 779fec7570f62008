/** A form for a schema of the contract: the same validation as the server, with the server's errors at their fields. */
import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { Fault } from '../platform/fault.ts'
import { toasts } from '../platform/toasts.ts'
import { surfaceOf } from './error-surface.ts'
import type { SavedForm } from './FormFrame.tsx'
import { showFault } from './faults.tsx'
import { useDraft } from './useDraft.ts'

type Options<S extends z.ZodType, Answer> = {
  values: z.input<S>
  save: (body: z.output<S>) => Promise<Answer>
  /** The success toast; may depend on the response. */
  done?: string | ((answer: Answer) => string)
  /** The headline of an error that belongs to no field. */
  failed?: string
  /** For a form that stays open: its values after saving, which count as unchanged from then on. */
  stays?: (saved: z.output<S>, answer: Answer) => z.input<S>
  onSaved?: (answer: Answer, body: z.output<S>) => void
  /** Maps the server's field names if they differ from the form's. */
  fieldOf?: (serverField: string) => string
  /**
   * For a step of a longer process: the input is stored in this browser until it is saved, so that leaving needs no
   * confirmation. No secrets.
   */
  beyondTab?: boolean
}

export type ResourceForm = SavedForm & { methods: UseFormReturn<FieldValues>; busy: boolean }

export function useResourceForm<S extends z.ZodType<FieldValues, FieldValues>, Answer>(
  schema: S,
  { values, save, done, failed, stays, onSaved, fieldOf = (field) => field, beyondTab = false }: Options<S, Answer>,
): ResourceForm {
  const [fault, setFault] = useState<Fault>()
  const saved = useRef(false)
  const [labels] = useState(() => new Map<string, string>())
  const methods = useForm<FieldValues>({
    mode: 'onTouched',
    resolver: zodResolver(schema as never) as never,
    defaultValues: values as DefaultValues<FieldValues>,
  })
  const dropDraft = useDraft(methods, saved, beyondTab)

  /** Sets the errors that belong to fields of this form. Returns whether that was all of them. */
  function placeFaults(refused: Fault): boolean {
    const places = refused.fields.map(({ field, reason }) => ({ field: fieldOf(field), reason }))
    const ours = places.filter(({ field }) => (field.split('.')[0] ?? '') in methods.getValues())
    for (const [index, { field, reason }] of ours.entries()) {
      methods.setError(field, { message: reason }, { shouldFocus: index === 0 })
    }
    return places.length > 0 && ours.length === places.length
  }

  const submit = methods.handleSubmit(async (body) => {
    setFault(undefined)
    try {
      const answer = await save(body as z.output<S>)
      if (stays) methods.reset(stays(body as z.output<S>, answer) as FieldValues)
      else saved.current = true
      if (beyondTab) dropDraft()
      if (done) toasts.done(typeof done === 'string' ? done : done(answer))
      onSaved?.(answer, body as z.output<S>)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (surfaceOf(error) === 'list' || surfaceOf(error) === 'signIn') return showFault(error)
      if (placeFaults(error)) return
      if (failed) toasts.failed(failed)
      setFault(error)
    }
  })
  return {
    methods,
    submit,
    busy: methods.formState.isSubmitting,
    fault,
    isSaved: () => beyondTab || saved.current,
    labels,
  }
}
