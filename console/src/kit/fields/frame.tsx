/** What all fields share: a label, help, an error text, and a value in the form. */
import { Field } from '@base-ui/react/field'
import { createContext, type ReactNode, use, useEffect } from 'react'
import { usePhrases } from '../../platform/phrases.ts'
import { cn } from '../cn.ts'
import { reasonText } from '../faults.tsx'
import { afterPress } from './after-press.ts'
import { FieldSource } from './source.ts'

export type FieldProps = { name: string; label: string; help?: ReactNode; className?: string }

/** Returns a field's value and its error as text. */
export function useField(name: string) {
  const t = usePhrases('kit')
  const useBound = use(FieldSource)
  if (!useBound) throw new Error(`the field ${name} stands in no form`)
  const { field: bound, fault } = useBound(name)
  const field = { ...bound, onBlur: () => afterPress(bound.onBlur) }
  return { field, error: reasonText(fault?.message, t), fault }
}

type FrameProps = FieldProps & { error: string | undefined; inline?: boolean; aside?: ReactNode; children: ReactNode }

/**
 * Set if fields are laid out as rows, with the label left and the control right (`SettingsSection`); returns the mark
 * that a field shows.
 */
export const FieldRows = createContext<((name: string) => ReactNode) | undefined>(undefined)

/** Where the fields of a form register their labels. */
export const FieldLabels = createContext<Map<string, string> | undefined>(undefined)

export function FieldFrame(props: FrameProps) {
  const { name, label, help, error, inline, aside, className, children } = props
  const mark = use(FieldRows)
  const labels = use(FieldLabels)
  useEffect(() => {
    labels?.set(name, label)
  }, [labels, name, label])
  const described = help && <Field.Description className="mt-1 text-ink-3 text-xs">{help}</Field.Description>
  const refused = (
    <Field.Error match={error !== undefined} className="mt-1 block text-bad text-xs">
      {error}
    </Field.Error>
  )
  if (mark)
    return (
      <Field.Root invalid={error !== undefined} className={cn('settings-row', className)}>
        <div className="sm:pt-1.5">
          <div className="flex flex-wrap items-center gap-x-2">
            <Field.Label className="font-medium">{label}</Field.Label>
            {mark(name)}
            {aside && <span className="num text-ink-3 text-xs">{aside}</span>}
          </div>
          {described}
        </div>
        <div className={cn('min-w-0', inline && 'sm:pt-1.5')}>
          {children}
          {refused}
        </div>
      </Field.Root>
    )
  return (
    <Field.Root invalid={error !== undefined} className={cn('mb-4 min-w-0', className)}>
      <div className={cn(inline ? 'flex items-center gap-2.5' : 'mb-1.5 flex items-baseline justify-between gap-3')}>
        {inline && children}
        <Field.Label className="font-medium">{label}</Field.Label>
        {aside && <span className="num text-ink-3 text-xs">{aside}</span>}
      </div>
      {!inline && children}
      {described}
      {refused}
    </Field.Root>
  )
}
