/**
 * One item per line: line numbers, each wrong line reported, a button to remove duplicates, a counter. For addresses,
 * URLs, names.
 */
import { Field } from '@base-ui/react/field'
import { useId, useMemo, useRef } from 'react'
import { usePhrases } from '../../platform/phrases.ts'
import { Button } from '../Button.tsx'
import { cn } from '../cn.ts'
import { reasonText } from '../faults.tsx'
import { FieldFrame, type FieldProps, useField } from './frame.tsx'
import { linesOf } from './lines-of.ts'

const linePx = 20
const shownMax = 5

export type LinesProps = FieldProps & {
  max: number
  placeholder?: string
  /** Allows several items on a line, separated by commas: only if no item can contain one. */
  apart?: boolean
  /** Returns why a line is wrong, to report all of them at once; the schema reports only the first. */
  check?: (line: string) => string | undefined
}

export function LinesField(props: LinesProps) {
  const t = usePhrases('kit')
  const { field, fault } = useField(props.name)
  const area = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const lines = (field.value ?? []) as string[]
  const items = useMemo(() => lines.map((line) => line.trim()).filter(Boolean), [lines])
  const wrong = useWrongLines(lines, fault, props.check)
  const hasDuplicates = new Set(items).size < items.length

  function goTo(line: number) {
    const start = lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0)
    area.current?.focus()
    area.current?.setSelectionRange(start, start + (lines[line]?.length ?? 0))
  }

  const whole = fault?.message ? reasonText(fault.message, t) : undefined
  const error = whole ?? (wrong.length > shownMax ? t('lines.wrong', { n: wrong.length }) : undefined)
  return (
    <FieldFrame {...props} error={error} aside={t('lines.count', { n: items.length, max: props.max })}>
      <div className="flex max-h-64 overflow-auto rounded-control border border-line bg-surface focus-within:border-accent focus-within:outline-2 focus-within:outline-accent/40 hover:border-line-strong has-aria-invalid:border-bad">
        <div
          aria-hidden
          className="mono num sticky left-0 select-none border-line border-r bg-sunken px-2 py-1.5 text-right text-ink-3 leading-5"
        >
          {(lines.length > 0 ? lines : ['']).map((_, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its number
            <div key={line} className={cn('h-5', wrong.some((one) => one.line === line) && 'font-semibold text-bad')}>
              {line + 1}
            </div>
          ))}
        </div>
        <Field.Control
          ref={area}
          name={field.name}
          value={lines.join('\n')}
          onValueChange={(text) => field.onChange(linesOf(text, props.apart === true))}
          onBlur={field.onBlur}
          placeholder={props.placeholder}
          spellCheck={false}
          aria-describedby={wrong.length > 0 ? listId : undefined}
          render={<textarea rows={Math.max(4, lines.length)} />}
          style={{ lineHeight: `${linePx}px` }}
          className="mono min-w-0 flex-1 resize-none overflow-hidden whitespace-pre bg-transparent px-2.5 py-1.5 outline-none"
        />
      </div>
      {(wrong.length > 0 || hasDuplicates) && (
        <div id={listId} className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
          {wrong.slice(0, shownMax).map(({ line, reason }) => (
            <button
              key={line}
              type="button"
              className="text-bad underline underline-offset-2"
              onClick={() => goTo(line)}
            >
              {t('lines.line', { line: String(line + 1), reason: reasonText(reason, t) ?? reason })}
            </button>
          ))}
          {hasDuplicates && (
            <Button size="sm" look="ghost" onClick={() => field.onChange([...new Set(items)])}>
              {t('lines.dedupe')}
            </Button>
          )}
        </div>
      )}
    </FieldFrame>
  )
}

/**
 * Returns the form's error for each item, by its position among the non-blank lines, or every line that `check`
 * rejects.
 */
function useWrongLines(lines: string[], fault: unknown, check: LinesProps['check']) {
  return useMemo(() => {
    if (!fault) return []
    const full = [...lines.entries()].filter(([, text]) => text.trim() !== '')
    if (check) {
      const refused = full.flatMap(([line, text]) => {
        const reason = check(text.trim())
        return reason ? [{ line, reason }] : []
      })
      if (refused.length > 0) return refused
    }
    if (!Array.isArray(fault)) return []
    return full.flatMap(([line], index) => {
      const message: unknown = fault[index]?.message
      return typeof message === 'string' ? [{ line, reason: message }] : []
    })
  }, [lines, fault, check])
}
