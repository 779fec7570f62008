/** The look of all text inputs, and a plain input for use outside of forms. */
import { Search } from 'lucide-react'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { cn } from './cn.ts'

export const inputClass =
  'given:h-8 given:w-full min-w-0 rounded-control border border-line bg-surface given:px-2.5 transition-colors hover:border-line-strong focus-visible:border-accent focus-visible:outline-2 focus-visible:outline-accent/40 focus-visible:outline-offset-0 aria-invalid:border-bad data-invalid:border-bad disabled:opacity-60 pointer-coarse:h-11 pointer-coarse:text-[16px]'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cn(inputClass, className)} {...rest} />
}

const settleMs = 300

type SearchProps = { value: string; onChange: (value: string) => void; label: string; className?: string }

/** A search field that reports its text once typing pauses. */
export function SearchInput({ value, onChange, label, className }: SearchProps) {
  const [text, setText] = useState(value)
  /** The text last reported comes back as `value`; by then more may have been typed, which is kept. */
  const asked = useRef(value)
  useEffect(() => {
    if (value !== asked.current) setText(value)
    asked.current = value
  }, [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => {
      asked.current = text
      onChange(text)
    }, settleMs)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  return (
    <span className={cn('relative inline-flex given:w-60 max-w-full items-center max-sm:w-full', className)}>
      <Search size={14} aria-hidden className="pointer-events-none absolute left-2.5 text-ink-3" />
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        className="pl-8"
        onChange={(event) => setText(event.target.value)}
      />
    </span>
  )
}
