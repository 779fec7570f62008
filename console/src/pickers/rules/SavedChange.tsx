/** After a save: what it changed, on how many nodes it is live, and undo. Appended to the form's own message. */
import type { SiteRevision } from '@breakwater/contract/site-revision.ts'
import { history, type Revision } from '@breakwater/contract/sites/history.ts'
import { type PublishStatus, sites } from '@breakwater/contract/sites/sites.ts'
import { useEffect, useRef } from 'react'
import { showFault } from '../../kit/faults.tsx'
import { plain } from '../../kit/Marked.tsx'
import { send } from '../../platform/browser.ts'
import { queryClient } from '../../platform/calls.ts'
import { Fault } from '../../platform/fault.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { type RuleKinds, type RuleSay, useRuleKinds } from '../../platform/rule-kinds.ts'
import { useMay } from '../../platform/session.ts'
import { toasts } from '../../platform/toasts.ts'
import { partWords } from '../sentences/part-words.ts'
import { useRuleSay } from './use-rule-words.ts'

const sentencesMax = 2
const lookEveryMs = 400
/**
 * A node that takes longer than this is offline: the message ends with the progress so far, and the site's header keeps
 * updating.
 */
const followMs = 60_000

/** Returns the sentences of a revision, at most the first two. */
export function revisionWords({ changes }: Revision, kinds: RuleKinds, say: RuleSay): string {
  // The first revision of a site has everything new, which is not a change.
  if (!changes || changes.first.length === 0) return ''
  const told = changes.first.slice(0, sentencesMax).map((change) => plain(partWords(kinds, change, say)))
  const more = changes.total - told.length
  return [...told, ...(more > 0 ? [say.t('saved.more', { n: more })] : [])].join(say.t('saved.joined'))
}

const pause = () => new Promise((done) => setTimeout(done, lookEveryMs))

export function SavedChange({ change }: { change: SiteRevision }) {
  const t = usePhrases('rules')
  const tKit = usePhrases('kit')
  const kinds = useRuleKinds()
  const say = useRuleSay()
  const may = useMay()
  // The message belongs to the moment of the save: phrases that load later must not repeat it.
  const tools = useRef({ t, tKit, kinds, say, may })
  tools.current = { t, tKit, kinds, say, may }
  const told = useRef<SiteRevision>(undefined)
  useEffect(() => {
    if (told.current === change) return
    told.current = change
    void tell(change, () => told.current === change, tools.current).catch((error: unknown) => {
      // The save succeeded; failing to describe it is not a failure of the save.
      if (!(error instanceof Fault)) throw error
    })
  }, [change])
  return null
}

type Tools = {
  t: ReturnType<typeof usePhrases<'rules'>>
  tKit: ReturnType<typeof usePhrases<'kit'>>
  kinds: RuleKinds
  say: RuleSay
  may: ReturnType<typeof useMay>
}

/** How many revisions others may have made of the site since the save. */
const othersMax = 10

async function tell({ siteId, revision: made }: SiteRevision, isNewest: () => boolean, tools: Tools): Promise<void> {
  const { t, tKit, kinds, say, may } = tools
  if (!may('history.read')) return
  const { data } = await send(history.list, { siteId, query: { page: 1, pageSize: othersMax } })
  const revision = data.find((one) => one.revision === made)
  if (!revision?.changes || revision.changes.total === 0 || !isNewest()) return
  const what = revisionWords(revision, kinds, say)
  const canUndo = may('history.restore') && revision.revision > 1 && revision.changes.parts.length > 0
  const undo = canUndo ? () => void undoIt(siteId, revision, t).catch(showFault) : undefined
  const tellMore = toasts.story(undo)
  const startedMs = performance.now()
  let text = what
  let isBegun = false
  try {
    for (;;) {
      const status = await send(sites.publishStatus, { siteId })
      if (!isNewest() || status.revision !== revision.revision) return
      text = `${what} · ${liveWords(status, tKit)}`
      if (status.settled || performance.now() - startedMs > followMs) return
      tellMore(text, false)
      isBegun = true
      await pause()
    }
  } finally {
    // A message that was started is ended, so that it times out as usual; a save that was overtaken by a newer one
    // starts none.
    if (isBegun || isNewest()) tellMore(text, true)
  }
}

function liveWords({ nodes, live, settled }: PublishStatus, t: Tools['tKit']): string {
  if (nodes === 0) return t('progress.noNodes')
  if (!settled && live < nodes) return t('progress.applying', { live, nodes })
  return t(nodes === 1 ? 'progress.liveOne' : 'progress.live', { live, nodes })
}

/** Restores the parts that the save changed. Refused if anything was saved since. */
async function undoIt(siteId: number, { revision, changes }: Revision, t: Tools['t']): Promise<void> {
  const { data } = await send(history.list, { siteId, query: { page: 1, pageSize: 1 } })
  if (data[0]?.revision !== revision) return toasts.failed(t('saved.changedSince'))
  await send(history.restore, { siteId, body: { revision: revision - 1, note: '', parts: changes!.parts } })
  await queryClient.invalidateQueries()
  toasts.done(t('saved.undone'))
}
