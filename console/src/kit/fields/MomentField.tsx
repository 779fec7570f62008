/** A typed point in time: the browser's own field uses the browser's language, which for some means a 12-hour clock. */
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

/** The form's value while the typed text cannot be parsed: every schema rejects it. */
const unread = 'unread'

const textOf = (value: unknown) =>
  typeof value === 'string' && value !== unread ? wallText(Date.parse(value) / 1000, undefined) : ''

/** Not bundled with the first page that has a form: most have no such field. */
const MomentPresets = later(() => import('./MomentPresets.tsx').then((file) => file.MomentPresets))

export type MomentFieldProps = FieldProps & {
  /** Presets, in hours from now. */
  presets?: readonly number[]
  /** "Never" is not allowed. */
  isRequired?: boolean
}

/** Shown in the browser's time zone, which it names, as `2026-11-21 14:05`; empty for never. */
export function MomentField({ presets, isRequired = false, ...props }: MomentFieldProps) {
  const t = usePhrases('kit')
  const { field, error } = useField(props.name)
  const [isLeft, setLeft] = useState(false)
  const [typed, setTyped] = useState({ text: textOf(field.value), value: field.value as unknown })
  // A value set elsewhere, by a draft or a button, is formatted anew.
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
