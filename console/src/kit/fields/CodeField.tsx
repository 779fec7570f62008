/**
 * A field for code: line numbers, subdued highlighting, undo, and the position of an error. The editor is loaded when
 * it is first shown.
 */
import { lazy, Suspense, useId, useMemo, useRef } from 'react'
import { usePhrases } from '../../platform/phrases.ts'
import { checkJson } from '../code/check-json.ts'
import type { Complete } from '../code/Editor.tsx'
import type { CodeMode } from '../code/modes.ts'
import { reasonText } from '../faults.tsx'
import { FieldFrame, type FieldProps, useField } from './frame.tsx'

const Editor = lazy(() => import('../code/Editor.tsx').then((file) => ({ default: file.Editor })))

export type CodeProps = FieldProps & {
  mode: CodeMode
  placeholder?: string
  readOnly?: boolean
  complete?: Complete
  /** Returns what is wrong, in the user's language, and where, counted from 1; JSON is checked without it. */
  check?: (text: string) => { line: number; column?: number; reason: string } | undefined
}

export function CodeField(props: CodeProps) {
  const t = usePhrases('kit')
  const { field, error } = useField(props.name)
  const id = useId()
  const goTo = useRef<(line: number, column?: number) => void>(undefined)
  const text = String(field.value ?? '')
  const { check, mode } = props
  const wrong = useMemo((): ReturnType<NonNullable<CodeProps['check']>> => {
    if (check) return check(text)
    const found = mode === 'json' ? checkJson(text) : undefined
    return found && { ...found, reason: reasonText(found.reason, t) ?? found.reason }
  }, [check, mode, text, t])
  const isWrong = wrong !== undefined || error !== undefined
  return (
    <FieldFrame {...props} error={error}>
      <div
        className="overflow-hidden rounded-control border border-line bg-surface focus-within:border-accent focus-within:outline-2 focus-within:outline-accent/40 hover:border-line-strong data-wrong:border-bad"
        data-wrong={isWrong || undefined}
      >
        <Suspense fallback={<div className="skeleton appear-late h-[104px]" />}>
          <Editor
            label={props.label}
            mode={props.mode}
            value={text}
            onChange={field.onChange}
            onBlur={field.onBlur}
            isWrong={isWrong}
            describedBy={wrong ? id : undefined}
            placeholder={props.placeholder}
            complete={props.complete}
            readOnly={props.readOnly}
            onReady={(move) => {
              goTo.current = move
            }}
          />
        </Suspense>
      </div>
      {wrong && (
        <button
          id={id}
          type="button"
          className="mt-1 block text-bad text-xs underline underline-offset-2"
          onClick={() => goTo.current?.(wrong.line, wrong.column)}
        >
          {t('code.wrong', { line: wrong.line, reason: wrong.reason })}
        </button>
      )}
    </FieldFrame>
  )
}
