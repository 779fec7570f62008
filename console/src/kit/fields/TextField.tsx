/** One line of text, several lines, or a write-only secret. */
import { Field } from '@base-ui/react/field'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { usePhrases } from '../../platform/phrases.ts'
import { IconButton } from '../Button.tsx'
import { cn } from '../cn.ts'
import { inputClass } from '../Input.tsx'
import { FieldFrame, type FieldProps, useField } from './frame.tsx'

export type TextProps = FieldProps & {
  placeholder?: string
  mono?: boolean
  autoComplete?: string
  autoFocus?: boolean
  inputMode?: 'url' | 'email' | 'text'
}

export function TextField(props: TextProps) {
  const { placeholder, mono, autoComplete = 'off', autoFocus, inputMode } = props
  const { field, error } = useField(props.name)
  return (
    <FieldFrame {...props} error={error}>
      <Field.Control
        {...field}
        value={String(field.value ?? '')}
        className={cn(inputClass, mono && 'mono')}
        placeholder={placeholder}
        autoComplete={autoComplete}
        autoFocus={autoFocus}
        inputMode={inputMode}
        spellCheck={false}
      />
    </FieldFrame>
  )
}

export function MemoField(props: FieldProps & { max?: number }) {
  const { field, error } = useField(props.name)
  const value = String(field.value ?? '')
  const max = props.max ?? 256
  return (
    <FieldFrame {...props} error={error} aside={value.length > max / 2 ? `${value.length} / ${max}` : undefined}>
      <Field.Control
        {...field}
        value={value}
        render={<textarea rows={2} />}
        className={cn(inputClass, 'block h-auto min-h-[54px] py-1.5')}
      />
    </FieldFrame>
  )
}

/** Lines to be pasted unchanged: certificates, keys. `isSecret` excludes it from stored drafts. */
export function BlockField(props: FieldProps & { placeholder?: string; isSecret?: boolean }) {
  const { field, error } = useField(props.name)
  return (
    <FieldFrame {...props} error={error}>
      <Field.Control
        {...field}
        value={String(field.value ?? '')}
        render={<textarea rows={5} />}
        data-secret={props.isSecret || undefined}
        placeholder={props.placeholder}
        autoComplete="off"
        spellCheck={false}
        className={cn(inputClass, 'mono block h-auto min-h-[104px] py-1.5 text-xs')}
      />
    </FieldFrame>
  )
}

export function SecretField(props: TextProps) {
  const t = usePhrases('kit')
  const { field, error } = useField(props.name)
  const [shown, setShown] = useState(false)
  return (
    <FieldFrame {...props} error={error}>
      <span className="relative flex items-center">
        <Field.Control
          {...field}
          value={String(field.value ?? '')}
          type={shown ? 'text' : 'password'}
          data-secret
          autoComplete={props.autoComplete ?? 'off'}
          placeholder={props.placeholder}
          autoFocus={props.autoFocus}
          className={cn(inputClass, 'pr-9')}
        />
        <span className="absolute right-[3px]">
          <IconButton size="iconSm" label={t(shown ? 'hide' : 'show')} onClick={() => setShown(!shown)}>
            {shown ? <EyeOff size={15} aria-hidden /> : <Eye size={15} aria-hidden />}
          </IconButton>
        </span>
      </span>
    </FieldFrame>
  )
}
