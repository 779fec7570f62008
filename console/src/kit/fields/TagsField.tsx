/**
 * A few short values as chips: Enter, a comma or a space adds one, Backspace removes the last, and a list can be
 * pasted.
 */
import { Field } from '@base-ui/react/field'
import { X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react'
import { usePhrases } from '../../platform/phrases.ts'
import { reasonText } from '../faults.tsx'
import { afterPress } from './after-press.ts'
import { FieldFrame, type FieldProps, useField } from './frame.tsx'

export type TagsProps = FieldProps & { max: number; placeholder?: string }

const between = /[\s,;]+/

export function TagsField(props: TagsProps) {
  const t = usePhrases('kit')
  const { field, error, fault } = useField(props.name)
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const tags = (field.value ?? []) as string[]
  /** The tags shown while the press that left the field lasts: another chip could move the button being pressed. */
  const [held, setHeld] = useState<string[]>()
  const shown = held ?? tags

  function take(written: string) {
    const fresh = written.split(between).filter(Boolean)
    if (fresh.length > 0) field.onChange([...new Set([...tags, ...fresh])])
  }
  function add(written: string) {
    take(written)
    setText('')
  }
  /** The form gets the value at once, as the press may submit it. */
  function leave() {
    take(text)
    setHeld(tags)
    afterPress(() => {
      setHeld(undefined)
      setText('')
    })
    field.onBlur()
  }
  function press(event: KeyboardEvent) {
    // The Enter that ends an input method's composition chooses a character, not a tag.
    if (event.nativeEvent.isComposing) return
    if ((event.key === 'Enter' || event.key === ',' || event.key === ' ') && text.trim() !== '') {
      event.preventDefault()
      add(text)
    } else if (event.key === 'Backspace' && text === '') field.onChange(tags.slice(0, -1))
  }
  function paste(event: ClipboardEvent) {
    const pasted = event.clipboardData.getData('text')
    if (!between.test(pasted.trim())) return
    event.preventDefault()
    add(text + pasted)
  }

  const isWrong = (index: number) => Array.isArray(fault) && fault[index] !== undefined
  const wrongOne = Array.isArray(fault) ? fault.find(Boolean)?.message : undefined
  return (
    <FieldFrame
      {...props}
      error={error ?? (typeof wrongOne === 'string' ? reasonText(wrongOne, t) : undefined)}
      aside={t('lines.count', { n: tags.length, max: props.max })}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a press beside the input is meant for it */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keyboard already */}
      <div
        onClick={() => input.current?.focus()}
        className="flex min-h-8 flex-wrap items-center gap-1 rounded-control border border-line bg-surface px-1.5 py-[3px] focus-within:border-accent focus-within:outline-2 focus-within:outline-accent/40 hover:border-line-strong has-aria-invalid:border-bad"
      >
        {shown.map((tag, index) => (
          <span
            key={tag}
            className={`mono inline-flex h-6 max-w-full items-center rounded-tag bg-mute pl-1.5 ${isWrong(index) ? 'text-bad' : 'text-ink'}`}
          >
            <span className="truncate">{tag}</span>
            <button
              type="button"
              aria-label={t('tags.remove', { name: tag })}
              title={t('tags.remove', { name: tag })}
              className="grid size-6 shrink-0 place-items-center rounded-tag text-ink-3 hover:text-ink"
              onClick={() => {
                field.onChange(tags.filter((one) => one !== tag))
                input.current?.focus()
              }}
            >
              <X size={12} aria-hidden />
            </button>
          </span>
        ))}
        <Field.Control
          ref={(element: HTMLInputElement | null) => {
            input.current = element
            field.ref(element)
          }}
          name={field.name}
          value={text}
          onValueChange={setText}
          onKeyDown={press}
          onPaste={paste}
          onBlur={leave}
          placeholder={shown.length === 0 ? props.placeholder : undefined}
          autoComplete="off"
          spellCheck={false}
          className="mono h-6 min-w-20 flex-1 bg-transparent px-1 outline-none"
        />
      </div>
    </FieldFrame>
  )
}
