/** One entry: who, for whom, with which program, from where, and what changed. */
import type { AuditEntry } from '@breakwater/contract/audit/audit.ts'
import { useState } from 'react'
import { CopyText } from '../kit/CopyText.tsx'
import { Drawer } from '../kit/Dialog.tsx'
import { Diff } from '../kit/Diff.tsx'
import { Link } from '../kit/Link.tsx'
import { Fact, Facts } from '../kit/Panel.tsx'
import { Segments } from '../kit/Toggle.tsx'
import { ChangeList } from '../pickers/rules/ChangeList.tsx'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { Actor } from './audit-columns.tsx'
import { changesOf, doneText, objectOf, partsOf, siteText } from './describe-entry.ts'

export function EntryDrawer({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const t = usePhrases('audit')
  const format = useFormat()
  const places = usePlaces()
  const [view, setView] = useState<'words' | 'raw'>('words')
  const lines = changesOf(entry.detail, t)
  const object = objectOf(entry.detail, null, t)
  const detail = (entry.detail ?? {}) as { before?: unknown; after?: unknown }
  const parts = partsOf(entry.detail)
  const hasBoth = detail.before !== undefined || detail.after !== undefined
  return (
    <Drawer title={doneText(entry, t)} onClose={onClose}>
      <Facts className="mb-5">
        <Fact name={t('time')}>
          <span className="num">{format.moment(entry.createdAt)}</span>
        </Fact>
        <Fact name={t('who')}>
          <Actor entry={entry} t={t} />
        </Fact>
        <Fact name={t('console')}>{t(`console.${entry.tier}`)}</Fact>
        <Fact name={t('action')}>
          <code className="mono">{entry.action}</code>
        </Fact>
        {object && <Fact name={t('object')}>{object}</Fact>}
        {entry.siteID !== null && entry.tier !== 'admin' && places.tier !== 'admin' && (
          <Fact name={t('site')}>
            {entry.siteName === null ? (
              siteText(entry, t)
            ) : (
              <Link to={places.site(entry.siteID, entry.siteName)}>{`${entry.siteName} · ${entry.siteID}`}</Link>
            )}
          </Fact>
        )}
        <Fact name={t('result')}>{`${t(entry.status < 400 ? 'result.ok' : 'result.refused')} · ${entry.status}`}</Fact>
        <Fact name={t('from')}>
          <code className="mono">{entry.clientIP || '–'}</code>
        </Fact>
        <Fact name={t('url')}>
          <code className="mono break-all">{`${entry.method} ${entry.url}`}</code>
        </Fact>
        <Fact name={t('reqID')}>{entry.reqID ? <CopyText text={entry.reqID} /> : '–'}</Fact>
      </Facts>
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 className="font-semibold">{t('changes')}</h2>
        {lines.length > 0 && !parts && (
          <Segments
            label={t('changes')}
            value={view}
            onChange={setView}
            options={[
              { value: 'words', label: t('words') },
              { value: 'raw', label: t('raw') },
            ]}
          />
        )}
      </div>
      {parts && <ChangeList changes={parts} />}
      {lines.length === 0 && <p className="text-ink-3">{t('changes.none')}</p>}
      {lines.length > 0 && !parts && view === 'words' && (
        <ul className="list-disc space-y-1 pl-5">
          {lines.map((line) => (
            <li key={line} className="break-words">
              {line}
            </li>
          ))}
        </ul>
      )}
      {lines.length > 0 && !parts && view === 'raw' && (
        <Diff
          label={t('raw')}
          before={hasBoth ? (detail.before ?? null) : null}
          after={hasBoth ? (detail.after ?? null) : entry.detail}
        />
      )}
    </Drawer>
  )
}
