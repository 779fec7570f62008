/** The draft: what each site would have and what is not imported; then the sites are created, a few per call. */
import {
  type ImportDraft,
  type ImportedSite,
  type ImportOutcome,
  siteImport,
} from '@breakwater/contract/import/site-import.ts'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { useState } from 'react'
import { Button, buttonClass } from '../../kit/Button.tsx'
import { Empty } from '../../kit/Empty.tsx'
import { showFault } from '../../kit/faults.tsx'
import { Link } from '../../kit/Link.tsx'
import { Panel } from '../../kit/Panel.tsx'
import { useChange } from '../../platform/calls.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { usePlaces } from '../../platform/places.ts'
import { DraftSite } from './DraftSite.tsx'
import { bodyOf, type EditedSite, edited } from './draft-state.ts'
import { ImportNotes } from './ImportNotes.tsx'

/** The sites per call, and the maximum size of its body in characters. */
const perCall = 5
const callCharsMax = 700_000
const shownStep = 25

type Ready = { key: number; body: ImportedSite }

/** Batches of sites in the order of the draft, each within the limits of a call. */
function batchesOf(ready: readonly Ready[]): Ready[][] {
  const batches: Ready[][] = []
  let chars = 0
  for (const one of ready) {
    const size = JSON.stringify(one.body).length
    const last = batches.at(-1)
    if (last && last.length < perCall && chars + size < callCharsMax) last.push(one)
    else {
      batches.push([one])
      chars = 0
    }
    chars += size
  }
  return batches
}

export function DraftStep({ draft, onBack }: { draft: ImportDraft; onBack: () => void }) {
  const t = usePhrases('import')
  const places = usePlaces()
  const [all, setAll] = useState(() => edited(draft))
  const [isChecked, setChecked] = useState(false)
  const [progress, setProgress] = useState<{ done: number; of: number }>()
  const [shown, setShown] = useState(shownStep)
  const making = useChange(siteImport.create, sites.listOwn, sites.meta, sites.resourceInfo)
  const made = all.filter(({ outcome }) => (outcome?.siteID ?? 0) > 0)
  const chosen = all.filter((site) => site.isOn && !made.includes(site))
  const refused = chosen.filter(({ outcome }) => outcome?.error)
  const put = (key: number, change: Partial<EditedSite>) =>
    setAll((before) => before.map((site) => (site.key === key ? { ...site, ...change } : site)))

  async function make() {
    setChecked(true)
    const found = chosen.map((site) => ({ key: site.key, body: bodyOf(site).body }))
    const ready = found.filter((one): one is Ready => one.body !== undefined)
    // If a site is invalid, it is shown first and nothing is sent.
    const wrong = found.find(({ body }) => body === undefined)
    if (wrong) {
      const at = all.findIndex(({ key }) => key === wrong.key)
      setShown(Math.max(shown, at + 1))
      requestAnimationFrame(() => document.getElementById(`import-site-${wrong.key}`)?.focus())
      return
    }
    let done = 0
    setProgress({ done, of: ready.length })
    try {
      for (const batch of batchesOf(ready)) {
        const { outcomes } = await making.mutateAsync({ body: { sites: batch.map(({ body }) => body) } })
        take(batch, outcomes)
        done += batch.length
        setProgress({ done, of: ready.length })
      }
    } catch (fault) {
      await showFault(fault)
    } finally {
      setProgress(undefined)
    }
  }

  /** The indices of outcomes refer to their own call. */
  function take(batch: Ready[], outcomes: ImportOutcome[]) {
    for (const [index, { key }] of batch.entries()) put(key, { outcome: outcomes[index] })
  }

  if (draft.sites.length === 0)
    return (
      <>
        <Panel className="mb-3 py-8">
          <Empty title={t('none')} action={<Button onClick={onBack}>{t('back')}</Button>}>
            {t('none.text')}
          </Empty>
        </Panel>
        <ImportNotes title={t('notes.rest')} notes={draft.notes} cut={draft.notesCut} />
      </>
    )
  return (
    <>
      <div className="sticky top-0 z-10 mb-3 flex flex-wrap items-center justify-between gap-3 rounded-panel border border-line bg-surface px-4 py-3">
        <p role="status" className="min-w-0">
          {progress
            ? t('making', progress)
            : [
                t('found', { n: all.length }),
                made.length > 0 ? t('made', { n: made.length }) : '',
                refused.length > 0 ? t('refused', { n: refused.length }) : '',
              ]
                .filter((text) => text !== '')
                .join(' · ')}
        </p>
        <div className="flex flex-wrap items-center gap-2">
          <Button onClick={onBack} disabled={progress !== undefined}>
            {t('back')}
          </Button>
          {made.length > 0 && chosen.length === 0 ? (
            <Link
              to={places.sites}
              className={buttonClass({ look: 'solid' }, 'hover:no-underline hover:text-on-solid')}
            >
              {t('toSites')}
            </Link>
          ) : (
            <Button look="solid" onClick={make} busy={progress !== undefined} disabled={chosen.length === 0}>
              {t('make', { n: chosen.length })}
            </Button>
          )}
        </div>
      </div>
      <ul className="grid gap-3">
        {all.slice(0, shown).map((site) => (
          <DraftSite key={site.key} site={site} isChecked={isChecked} put={(change) => put(site.key, change)} />
        ))}
      </ul>
      {all.length > shown && (
        <Button className="mt-3" onClick={() => setShown(shown + shownStep)}>
          {t('more', { n: all.length - shown })}
        </Button>
      )}
      <ImportNotes title={t('notes.rest')} notes={draft.notes} cut={draft.notesCut} />
    </>
  )
}
