/** The artefacts of feed entries, brought to disk in the current schema, whichever schema the control plane renders. */
import { type Artefact, schemaBefore } from '@breakwater/contract/edge/artefact.ts'
import { ArtefactBefore, FirewallPartBefore } from '@breakwater/contract/edge/artefact-before.ts'
import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import { parseArtefact, parseObject, requireEntry } from './artefacts.ts'
import { type Gathered, gather, type Source } from './gather.ts'
import { liftArtefact, liftFirewall } from './lift.ts'
import { reasonOf } from './log.ts'
import { hashOf } from './objects.ts'

/** An entry that names an artefact. */
export type Live = FeedEntry & { artefact: string }

/** `ready` is the entry as nginx may read it: its artefact may be the lifted one. */
export type Opened = { entry: Live; ready: Live; artefact: Artefact } | { entry: Live; reason: string }

export async function openArtefacts(entries: readonly Live[], source: Source): Promise<Opened[]> {
  const found = await gather(
    entries.map((entry) => entry.artefact),
    source,
  )
  const open = source.schema === schemaBefore ? await openerBefore(entries, found, source) : openCurrent(found)
  const opened = entries.map((entry) => openOne(entry, open))
  const written = opened.flatMap((one) => ('written' in one ? one.written : []))
  const failed = await source.objects.write(new Map(written.map((bytes) => [hashOf(bytes), bytes])))
  return opened.map((one) => {
    const reason = 'written' in one ? one.written.map((bytes) => failed.get(hashOf(bytes))).find(Boolean) : undefined
    return reason === undefined ? one : { entry: one.entry, reason: `artefact: ${reason}` }
  })
}

function openOne(entry: Live, open: Open): (Opened & { written: Buffer[] }) | { entry: Live; reason: string } {
  try {
    return { entry, ...open(entry) }
  } catch (error) {
    return { entry, reason: `artefact: ${reasonOf(error)}` }
  }
}

const namesOf = (hosts: readonly { name: string }[]) => hosts.map(({ name }) => name)

/** What an entry's artefact says, the entry as nginx may read it, and the objects to be written for it. */
type Open = (entry: Live) => { artefact: Artefact; ready: Live; written: Buffer[] }

function openCurrent(found: Gathered): Open {
  return (entry) => {
    const bytes = found.take(entry.artefact)
    const artefact = parseArtefact(bytes, entry.site)
    requireEntry(artefact, namesOf(artefact.domains), entry)
    return { artefact, ready: entry, written: found.isNew(entry.artefact) ? [bytes] : [] }
  }
}

async function openerBefore(entries: readonly Live[], found: Gathered, source: Source): Promise<Open> {
  const read = (entry: Live) => parseObject(ArtefactBefore, found.take(entry.artefact))
  const firewalls = entries.flatMap((entry) => {
    try {
      return [read(entry).parts.firewall]
    } catch {
      // Said again, and then reported, when the entry itself is opened.
      return []
    }
  })
  const parts = await gather(firewalls, source)
  return (entry) => {
    const before = read(entry)
    requireEntry(before, namesOf(before.hosts), entry)
    const firewall = liftFirewall(parseObject(FirewallPartBefore, parts.take(before.parts.firewall)))
    const part = Buffer.from(JSON.stringify(firewall))
    const artefact = liftArtefact(before, hashOf(part))
    const bytes = Buffer.from(JSON.stringify(artefact))
    return { artefact, ready: { ...entry, artefact: hashOf(bytes) }, written: [part, bytes] }
  }
}
