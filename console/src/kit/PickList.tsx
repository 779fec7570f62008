/**
 * A searchable list: type to narrow, arrows to move, Enter to choose. The site switcher and the palette are built on
 * it.
 */
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { cn } from './cn.ts'

export type Pick = { key: string; label: string; hint?: ReactNode; group?: string }

type Props = {
  label: string
  /** Gets the text in lower case, and as typed. */
  items: (text: string, typed: string) => readonly Pick[]
  onPick: (item: Pick) => void
  /** Receives the typed text, for items that are fetched. */
  onText?: (typed: string) => void
  none: string
}

export function PickList({ label, items, onPick, onText, none }: Props) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const found = items(text.trim().toLowerCase(), text.trim())
  const active = Math.min(at, found.length - 1)

  function press(event: KeyboardEvent) {
    // The Enter that ends an input method's composition chooses a character, not an item.
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      const next = (active + step + found.length) % found.length
      setAt(next)
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && found[active]) {
      event.preventDefault()
      onPick(found[active])
    }
  }

  return (
    <div className="flex min-h-0 flex-col">
      <input
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={found[active] ? `${id}-${active}` : undefined}
        aria-label={label}
        placeholder={label}
        // biome-ignore lint/a11y/noAutofocus: it was just opened for typing
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          onText?.(event.target.value.trim())
          setAt(0)
        }}
        onKeyDown={press}
        className="h-11 border-line border-b bg-transparent px-4 text-[14px] outline-none"
      />
      <div id={id} role="listbox" aria-label={label} className="max-h-80 overflow-y-auto p-1">
        {found.map((item, index) => (
          <div key={item.key}>
            {item.group && item.group !== found[index - 1]?.group && (
              <div aria-hidden className="px-3 pt-2 pb-1 text-ink-3 text-xs">
                {item.group}
              </div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the input, which names the active option */}
            <div
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onClick={() => onPick(item)}
              onMouseMove={() => setAt(index)}
              className={cn(
                'flex min-h-8 cursor-default items-center justify-between gap-4 rounded-[6px] px-3',
                index === active && 'bg-mute',
              )}
            >
              <span className="truncate">{item.label}</span>
              {item.hint && <span className="shrink-0 text-ink-3 text-xs">{item.hint}</span>}
            </div>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="px-4 py-6 text-center text-ink-3">{none}</p>}
    </div>
  )
}
