/** A moment, typed: the browser's own field speaks the browser's language, and has twelve hours in some. */
import { Field } from '@base-ui/react/field'
import { useState } from 'react'
import { usePhrases } from '../../platform/phrases.ts'
import { wallMoment, wallText } from '../../platform/time-zone.ts'
import { cn } from '../cn.ts'
import { inputClass } from '../Input.tsx'
import { later } from '../later.tsx'
import { stepByKey } from '../moment-keys.ts'
import { afterPress } from './after-press.ts'
import { FieldFrame, type FieldProps, useField } from './frame.tsx'

/** What the form holds while nobody can read what is typed: no schema takes it. */
const unread = 'unread'

const textOf = (value: unknown) =>
  typeof value === 'string' && value !== unread ? wallText(Date.parse(value) / 1000, undefined) : ''

/** Not of the first page that has a form: most have no moment. */
const MomentPresets = later(() => import('./MomentPresets.tsx').then((file) => file.MomentPresets))

export type MomentFieldProps = FieldProps & {
  /** What is offered, in hours from now. */
  presets?: readonly number[]
  /** There is no never. */
  isRequired?: boolean
}

/** In the browser's time zone, which it names, `2026-11-21 14:05`; empty for never. */
export function MomentField({ presets, isRequired = false, ...props }: MomentFieldProps) {
  const t = usePhrases('kit')
  const { field, error } = useField(props.name)
  const [isLeft, setLeft] = useState(false)
  const [typed, setTyped] = useState({ text: textOf(field.value), value: field.value as unknown })
  // Set from elsewhere, by a draft or a button, it is shown as it is.
  const text = typed.value === field.value ? typed.text : textOf(field.value)
  function write(next: string) {
    const seconds = wallMoment(next, undefined)
    const value = next.trim() === '' ? null : seconds === undefined ? unread : new Date(seconds * 1000).toISOString()
    setTyped({ text: next, value })
    field.onChange(value)
  }
  return (
    <FieldFrame {...props} error={field.value === unread && (isLeft || error) ? t('moment.wrong') : error}>
      <Field.Control
        name={field.name}
        ref={field.ref}
        onBlur={() => {
          afterPress(() => setLeft(true))
          field.onBlur()
        }}
        value={text}
        placeholder={t('moment.example', { moment: wallText(Date.now() / 1000 + 24 * 3600, undefined) })}
        autoComplete="off"
        spellCheck={false}
        className={cn(inputClass, 'num')}
        onValueChange={write}
        onKeyDown={(event) => stepByKey(event, write)}
      />
      <MomentPresets isSet={text !== '' && !isRequired} presets={presets} write={write} />
    </FieldFrame>
  )
}
