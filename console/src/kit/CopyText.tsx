/** A value to copy elsewhere: shown in full, copied with one press. */
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { usePhrases } from '../platform/phrases.ts'
import { IconButton } from './Button.tsx'
import { cn } from './cn.ts'

const shownMs = 1500

/** Copies text. Over plain HTTP from another machine there is no clipboard API, so it falls back to the selection. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const t = usePhrases('kit')
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(false), shownMs)
    return () => clearTimeout(timer)
  }, [done])
  return (
    <>
      <IconButton
        size="iconSm"
        label={label ?? t('copy', { text: text.length > 60 ? `${text.slice(0, 60)}…` : text })}
        onClick={() => copyText(text).then(() => setDone(true))}
      >
        {done ? <Check size={14} aria-hidden className="text-ok" /> : <Copy size={14} aria-hidden />}
      </IconButton>
      <span role="status" className="sr-only">
        {done ? t('copied') : ''}
      </span>
    </>
  )
}

export function CopyText({ text, block }: { text: string; block?: boolean }) {
  return (
    <span
      className={cn(
        'max-w-full gap-1',
        block
          ? 'flex items-start justify-between rounded-control border border-line bg-sunken py-1 pr-1 pl-2.5'
          : 'inline-flex items-center',
      )}
    >
      <code className={cn('mono min-w-0', block ? 'py-1 [overflow-wrap:anywhere]' : 'truncate')}>{text}</code>
      <CopyButton text={text} />
    </span>
  )
}
