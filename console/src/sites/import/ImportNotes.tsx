/** What was not imported, line by line, with the reason; what the edge does by default is collapsed. */
import type { ImportNote } from '@breakwater/contract/import/site-import.ts'
import { Panel } from '../../kit/Panel.tsx'
import { usePhrases } from '../../platform/phrases.ts'

/** The most lines rendered of one list. */
const shownMax = 300

export function ImportNotes({ title, notes, cut }: { title: string; notes: ImportNote[]; cut: number }) {
  const t = usePhrases('import')
  if (notes.length === 0 && cut === 0) return null
  return (
    <Panel title={title} className="mt-3">
      <NoteList notes={notes} />
      {cut > 0 && <p className="mt-1 text-ink-3 text-xs">{t('notes.cut', { n: cut })}</p>}
    </Panel>
  )
}

export function NoteList({ notes }: { notes: ImportNote[] }) {
  const t = usePhrases('import')
  const open = notes.filter(({ reason }) => reason !== 'byEdge')
  const byEdge = notes.filter(({ reason }) => reason === 'byEdge')
  return (
    <div className="mt-3 w-full border-line border-t pt-2">
      {open.length > 0 && (
        <details open={open.length <= 30}>
          <summary className="cursor-pointer text-ink-3 text-xs">{t('notes', { n: open.length })}</summary>
          <Lines notes={open} />
        </details>
      )}
      {byEdge.length > 0 && (
        <details className="mt-1">
          <summary className="cursor-pointer text-ink-3 text-xs">{t('notes.byEdge', { n: byEdge.length })}</summary>
          <Lines notes={byEdge} />
        </details>
      )}
    </div>
  )
}

function Lines({ notes }: { notes: ImportNote[] }) {
  const t = usePhrases('import')
  return (
    <ul className="mt-1 grid gap-1.5">
      {notes.slice(0, shownMax).map(({ line, text, reason }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may say the same, and the list never changes
          key={index}
          className="grid grid-cols-[44px_minmax(0,1fr)] gap-x-2 gap-y-0.5 sm:grid-cols-[44px_minmax(0,1fr)_minmax(0,1fr)]"
        >
          <span className="num text-ink-3 text-xs">{line > 0 ? t('line', { n: line }) : ''}</span>
          <code className="mono break-all text-xs">{text}</code>
          <span className="text-ink-2 text-xs max-sm:col-start-2">{t(`reason.${reason}`)}</span>
        </li>
      ))}
      {notes.length > shownMax && (
        <li className="text-ink-3 text-xs">{t('notes.cut', { n: notes.length - shownMax })}</li>
      )}
    </ul>
  )
}
