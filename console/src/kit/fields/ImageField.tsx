/** An image: selected or dropped, previewed, removable. The value is the new file, or empty to remove the saved one. */
import { Field } from '@base-ui/react/field'
import { ImageUp } from 'lucide-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { usePhrases } from '../../platform/phrases.ts'
import { Button } from '../Button.tsx'
import { cn } from '../cn.ts'
import { FieldFrame, type FieldProps, useField } from './frame.tsx'

/** The field's value: undefined until it is changed. */
export type ImageValue = File | '' | undefined

/** Returns what an image field shows: the selected file, else the URL of the saved image, else an empty string. */
export function useImageUrl(value: ImageValue, shown: string): string {
  const [chosen, setChosen] = useState<{ file: File; url: string }>()
  useEffect(() => {
    if (!(value instanceof File)) return
    // The content security policy allows data: URLs but no blob: URLs.
    const reader = new FileReader()
    reader.onload = () => setChosen({ file: value, url: String(reader.result) })
    reader.readAsDataURL(value)
    return () => reader.abort()
  }, [value])
  if (value instanceof File) return chosen?.file === value ? chosen.url : ''
  return value === '' ? '' : shown
}

export type ImageProps = FieldProps & {
  /** The URL of the saved image, or empty. */
  shown: string
  accept: readonly string[]
  wide?: boolean
}

export function ImageField(props: ImageProps) {
  const t = usePhrases('kit')
  const { field, error } = useField(props.name)
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const value = field.value as ImageValue
  const url = useImageUrl(value, props.shown)
  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file) field.onChange(file)
  }
  return (
    <FieldFrame {...props} error={error}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button does the same */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={cn(
          'flex items-center gap-3 rounded-control border border-dashed p-2 has-aria-invalid:border-bad',
          isOver ? 'border-accent bg-accent-bg' : 'border-line bg-surface',
        )}
      >
        <span
          className={cn(
            'grid h-12 shrink-0 place-items-center overflow-hidden rounded-tag bg-mute text-ink-3',
            props.wide ? 'w-24' : 'w-12',
          )}
        >
          {url ? (
            <img src={url} alt="" className="max-h-12 max-w-full object-contain" />
          ) : (
            <ImageUp size={18} strokeWidth={1.6} aria-hidden />
          )}
        </span>
        <Field.Control
          ref={input}
          tabIndex={-1}
          name={field.name}
          render={<input type="file" accept={props.accept.join()} />}
          className="sr-only"
          onBlur={field.onBlur}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            if (file) field.onChange(file)
            // Allows selecting the same file again after it was removed.
            event.currentTarget.value = ''
          }}
        />
        <span className="flex flex-wrap gap-1.5">
          <Button
            ref={field.ref}
            size="sm"
            aria-label={`${props.label}: ${t('image.choose')}`}
            onClick={() => input.current?.click()}
          >
            {t('image.choose')}
          </Button>
          {url && (
            <Button
              size="sm"
              look="ghost"
              aria-label={`${props.label}: ${t('image.remove')}`}
              onClick={() => field.onChange(props.shown ? '' : undefined)}
            >
              {t('image.remove')}
            </Button>
          )}
        </span>
      </div>
    </FieldFrame>
  )
}
