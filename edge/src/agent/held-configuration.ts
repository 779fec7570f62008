/** The node configuration on disk (`agent/configuration.json`): the one in force, and the pending one. */
import { join } from 'node:path'
import { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import { LiveConfiguration, NodeConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import { z } from 'zod'
import { parseObject } from './artefacts.ts'
import { readIfThere, writeDurably } from './files.ts'
import type { Layout } from './layout.ts'
import { log, reasonOf } from './log.ts'
import { hashOf } from './objects.ts'

/** A feed entry and the text of its object; a tombstone has none, and means the defaults. */
const Stored = z.object({ entry: FeedEntry, text: z.string().nullable() })
export type Stored = z.output<typeof Stored>

const OnDisk = z.object({ held: Stored.nullable(), wanted: Stored.nullable() })
export type OnDisk = z.output<typeof OnDisk>

const pathOf = (layout: Layout) => join(layout.own, 'configuration.json')

/** Reads both from disk. A damaged one counts as missing: the defaults apply until the feed is read again. */
export async function readConfigurations(layout: Layout): Promise<OnDisk> {
  const bytes = await readIfThere(pathOf(layout))
  if (!bytes) return { held: null, wanted: null }
  try {
    const { held, wanted } = OnDisk.parse(JSON.parse(bytes.toString('utf8')))
    return { held: isWhole(held) ? held : null, wanted: isWhole(wanted) ? wanted : null }
  } catch (error) {
    log.error('the node configuration on disk is unreadable; the defaults hold', { reason: reasonOf(error) })
    return { held: null, wanted: null }
  }
}

const isWhole = (stored: Stored | null): boolean =>
  stored === null || (stored.text === null ? null : hashOf(stored.text)) === stored.entry.artefact

export async function writeConfigurations(layout: Layout, configurations: OnDisk): Promise<void> {
  await writeDurably(pathOf(layout), JSON.stringify(configurations), layout.private)
}

/** Parses a stored configuration; undefined means the defaults. Throws with the reason if it is invalid. */
export function configurationOf(stored: Stored | null): NodeConfiguration | undefined {
  if (stored === null || stored.text === null) return undefined
  return parseObject(NodeConfiguration, Buffer.from(stored.text))
}

/** The part of a configuration that concerns this node: a shadow rule set may be meant for another node only. */
export function ownOf(configuration: NodeConfiguration, nodeId: number): NodeConfiguration {
  const { wafShadow, ...others } = configuration
  return wafShadow?.node === undefined || wafShadow.node === nodeId ? configuration : others
}

/** The configuration in force, read from disk. */
export async function heldConfiguration(layout: Layout): Promise<NodeConfiguration | undefined> {
  return configurationOf((await readConfigurations(layout)).held)
}

const liveFields = Object.keys(LiveConfiguration.shape) as (keyof LiveConfiguration)[]

/** Only the fields that nginx accepts without a reload; the rest goes into nginx.conf. */
export const liveOf = (configuration: LiveConfiguration): LiveConfiguration =>
  Object.fromEntries(
    liveFields.flatMap((field) => (configuration[field] === undefined ? [] : [[field, configuration[field]]])),
  ) as LiveConfiguration

/** Writes the fields that nginx accepts without a reload to the file that it reads at its start. */
export async function writeLive(layout: Layout, configuration: LiveConfiguration): Promise<void> {
  const text = JSON.stringify(liveOf(configuration))
  await writeDurably(join(layout.folder, 'configuration.json'), text, layout.readable)
}
