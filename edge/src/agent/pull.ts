/** pull → check → apply: follows the group's feed up to the desired sequence, and never past it. */
import { schemaCurrent } from '@breakwater/contract/edge/artefact.ts'
import { type FeedEntry, FeedReply } from '@breakwater/contract/edge/node-api.ts'
import type { Applier } from './apply.ts'
import { type Configure, isConfiguration } from './configure.ts'
import type { ControlPlane } from './control-plane.ts'
import { beginEpoch, compare, endComparison } from './epoch.ts'
import { checkPage, type Malformed } from './feed-check.ts'
import type { FeedLog } from './feed-log.ts'
import { notGiven } from './fetch-objects.ts'
import { type Identity, learnKeys } from './identity.ts'
import type { Layout } from './layout.ts'
import { log } from './log.ts'
import type { Live } from './open-artefacts.ts'
import { type Preparing, prepare } from './prepare.ts'
import { addException, type Exception, removeException, type State, writeState } from './state.ts'

const PAGE = 500

export type Pulling = Preparing & {
  layout: Layout
  identity: Identity
  plane: ControlPlane
  feedLog: FeedLog
  state: State
  applier: Applier
  configure: Configure
}

/** Requests pages until the desired sequence is on this disk. `page` is called after each, to hand it to nginx. */
export async function pull(node: Pulling, page: () => Promise<void>): Promise<void> {
  let repeated = false
  for (;;) {
    const reply = await ask(node)
    if (reply.epoch !== node.state.epoch) {
      beginEpoch(node.state, reply)
      continue
    }
    const before = node.state.after
    const overtaken = await take(node, reply)
    await writeState(node.layout, node.state)
    // A site was saved twice in quick succession: this page's objects are already replaced by those of the next one.
    if (overtaken && !repeated) {
      repeated = true
      continue
    }
    await page()
    if (node.state.after === before || reply.after >= reply.desired) return
  }
}

type Page = { epoch: number; after: number; desired: number; entries: FeedEntry[]; malformed: Malformed[] }

async function ask({ identity, layout, plane, state }: Pulling): Promise<Page> {
  const { after } = state
  const epoch = Math.max(0, state.epoch)
  const can = encodeURIComponent(state.can.join(','))
  const query = `epoch=${epoch}&after=${after}&schema=${schemaCurrent}&can=${can}&limit=${PAGE}`
  const reply = await plane.get(`/feed?${query}`, FeedReply)
  const page = checkPage({ nodeId: identity.nodeId, epoch: state.epoch, after, keys: identity.signingKeys }, reply)
  await learnKeys(layout, identity, reply.signingKeys)
  return { epoch: reply.epoch, after: reply.after, desired: reply.desired, ...page }
}

/** Processes a page. Returns true if the control plane did not return one of its objects, as after a newer revision. */
async function take(node: Pulling, page: Page): Promise<boolean> {
  const { state } = node
  for (const one of page.malformed) note(state, one)
  const last = new Map(page.entries.map((entry) => [entry.site, entry]))
  const overtaken = await stageEntries(node, compare(state, holding(node), [...last.values()]))
  // A desired sequence below ours reverts nothing: a rollback is a higher sequence with the old content.
  state.after = Math.max(state.after, Math.min(page.after, page.desired))
  endComparison(state, holding(node))
  return overtaken
}

/** Brings entries to disk and queues them for nginx; those that cannot be prepared become exceptions. */
export async function stageEntries(node: Pulling, entries: readonly FeedEntry[]): Promise<boolean> {
  const { applier, feedLog, state } = node
  const ready: FeedEntry[] = []
  const wanted: Live[] = []
  for (const entry of entries) {
    const { artefact, ineligible, site, revision } = entry
    if (isConfiguration(entry) && ineligible === undefined) await bringConfiguration(node, entry)
    else if (artefact !== null) wanted.push({ ...entry, artefact })
    else if (ineligible === undefined) ready.push(entry)
    else addException(state, { site, revision, reason: ineligible })
  }
  const prepared = wanted.length > 0 ? await prepare(wanted, node) : []
  for (const one of prepared) {
    if ('artefact' in one) ready.push(one.entry)
    else note(state, { ...one.entry, reason: one.reason, retry: one.entry })
  }
  ready.sort((a, b) => a.sequence - b.sequence)
  const known = new Set(state.comparing ? ready.filter((entry) => isHeld(node, entry)) : [])
  await feedLog.append(ready, (site) => !applier.waiting.has(site))
  applier.add(ready.filter((entry) => !known.has(entry)))
  for (const { site } of known) removeException(state, site)
  return prepared.some((one) => 'reason' in one && one.reason.endsWith(notGiven))
}

/** A configuration that cannot be used becomes an exception, and the node keeps the current one. */
async function bringConfiguration({ applier, configure, state }: Pulling, entry: FeedEntry): Promise<void> {
  const reason = await configure.take(entry)
  if (reason === undefined) applier.add([entry])
  else addException(state, { site: entry.site, revision: entry.revision, reason, retry: entry })
}

/** The entries that this node holds, by site; the node configuration counts as site 0. */
function holding({ feedLog, configure }: Pulling): Pick<FeedLog, 'held'> {
  const own = configure.held()
  return own === undefined || own.artefact === null ? feedLog : { held: new Map([...feedLog.held, [own.site, own]]) }
}

/** Whether nginx already serves this exact artefact: then a new epoch changes nothing for the site. */
function isHeld({ applier, feedLog }: Pulling, { site, artefact }: FeedEntry): boolean {
  return feedLog.held.get(site)?.artefact === artefact && !applier.waiting.has(site)
}

function note(state: State, { site, revision, reason, retry }: Exception) {
  log.warn('a site cannot be brought here; it keeps what it had', { site, revision, reason })
  addException(state, { site, revision, reason, retry })
}
