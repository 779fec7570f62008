/**
 * The node configuration: taken from the feed, tested, and put in force, or refused with a reason. The old one stays in
 * force until nginx runs with the new one. After a power cut, agent and nginx start with the one last in force.
 */
import { join } from 'node:path'
import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import { configurationSite, defaultConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import { markOf, renderNginxConf } from '../nginx/render.ts'
import { addressDataOf, forgetAddressData, keepAddressData } from './address-data.ts'
import { checkPart } from './artefacts.ts'
import { fetchObjects, type Source } from './fetch-objects.ts'
import { readIfThere, writeDurably } from './files.ts'
import {
  configurationOf,
  ownOf,
  readConfigurations,
  type Stored,
  writeConfigurations,
  writeLive,
} from './held-configuration.ts'
import type { Layout } from './layout.ts'
import { log, reasonOf } from './log.ts'
import { type Nginx, NginxAway } from './nginx.ts'
import { reloadIfStale } from './nginx-conf.ts'
import { forgetAuthorities } from './origin-authorities.ts'
import { takenPort } from './ports.ts'
import { pause } from './retry.ts'
import { lastEmergency, sizeOfErrors } from './said-by-nginx.ts'
import { tryConf } from './try-conf.ts'

/** A reload takes at most a second unless the machine is overloaded. */
const RELOAD_MS = 20_000
const LOOK_MS = 50

export type Configure = {
  /** The entry in force, to compare with that of a new epoch. */
  held(): FeedEntry | undefined
  /** The entry that a previous agent process had taken but not put in force yet. */
  waiting(): FeedEntry | undefined
  /** Objects needed by the configuration in force and by the pending one. */
  objects(): string[]
  /** Brings an entry's objects to disk. Returns why they cannot be used; throws if the control plane is unreachable. */
  take(entry: FeedEntry): Promise<string | undefined>
  /** Puts the taken entry in force. If that fails, restores the old state and returns why. Throws `NginxAway`. */
  enforce(entry: FeedEntry): Promise<string | undefined>
  /** Renders nginx.conf again from the configuration in force: facts of the machine may have changed. */
  refresh(): Promise<void>
}

type Tools = {
  layout: Layout
  nodeId: number
  nginx: Nginx
  /** The nginx binary, to test an nginx.conf. */
  program: string
  source: Source
  /** Combines the facts of this machine with the operator's settings. */
  settingsOf(configuration: ReturnType<typeof configurationOf>): Promise<NodeSettings>
  /** Called after a new configuration is in force, and once at the start. */
  changed(configuration: ReturnType<typeof configurationOf>): void
}

export async function configurer({
  layout,
  nodeId,
  nginx,
  program,
  source,
  settingsOf,
  changed,
}: Tools): Promise<Configure> {
  const path = join(layout.folder, 'nginx.conf')
  const disk = await readConfigurations(layout)
  changed(readable(disk.held))
  /** Runs one step at a time: whatever renders nginx.conf must know what is in force. */
  let turn: Promise<unknown> = Promise.resolve()
  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const mine = turn.then(run)
    turn = mine.catch(() => undefined)
    return mine
  }

  async function keep(held: Stored | null, wanted: Stored | null) {
    Object.assign(disk, { held, wanted })
    await writeConfigurations(layout, disk)
  }

  /** Writes the rule sets of a configuration for nginx to read. Throws if one is invalid or cannot be fetched. */
  async function keepRuleSet(configuration: ReturnType<typeof configurationOf>) {
    const hashes = ruleSetsOf(configuration, nodeId)
    const found = await fetchObjects(hashes, source)
    for (const hash of hashes) {
      const bytes = found.take(hash)
      checkPart(bytes, 'wafRules')
      const failed = found.isNew(hash) && (await source.objects.write(new Map([[hash, bytes]]))).get(hash)
      if (failed) throw new Error(`a rule set of the WAF: ${failed}`)
    }
  }

  /** Replaces nginx.conf and waits until nginx runs with it; if it does not, restores the old one and returns why. */
  async function replace(text: string, old: string): Promise<string | undefined> {
    const from = await sizeOfErrors(layout)
    await writeDurably(path, text, layout.readable)
    await reloadIfStale(layout, nginx)
    if (await runsWith(markOf(text))) return undefined
    const reason = (await lastEmergency(layout, from)) ?? `nginx did not take it within ${RELOAD_MS / 1000} s`
    await writeDurably(path, old, layout.readable)
    await reloadIfStale(layout, nginx)
    return reason
  }

  async function runsWith(mark: string): Promise<boolean> {
    for (const end = Date.now() + RELOAD_MS; Date.now() < end; await pause(LOOK_MS)) {
      if (nginx.master() === undefined) throw new NginxAway('nginx is away')
      try {
        if ((await nginx.state()).conf === mark) return true
      } catch (error) {
        if (!(error instanceof NginxAway)) throw error
      }
    }
    return false
  }

  async function put(stored: Stored): Promise<string | undefined> {
    const configuration = configurationOf(stored)
    const settings = await settingsOf(configuration)
    const text = renderNginxConf(settings)
    const old = (await readIfThere(path))?.toString('utf8') ?? ''
    if (nginx.master() === undefined) throw new NginxAway('nginx is away')
    if (text !== old) {
      const before = await settingsOf(readable(disk.held))
      const reason =
        (await takenPort(settings, before)) ?? (await tryConf(program, settings)) ?? (await replace(text, old))
      if (reason !== undefined) return reason
    }
    const live = ownOf(configuration ?? defaultConfiguration, nodeId)
    await writeLive(layout, live)
    await nginx.configure(live)
    await forgetAuthorities(layout, text)
    return undefined
  }

  return {
    held: () => disk.held?.entry,
    waiting: () => disk.wanted?.entry,
    objects: () => [disk.held, disk.wanted].flatMap((stored) => ruleSetsOf(readable(stored), nodeId)),
    take: (entry) =>
      inTurn(async () => {
        let text: string | null = null
        if (entry.artefact !== null) {
          const found = await fetchObjects([entry.artefact], source)
          try {
            text = found.take(entry.artefact).toString('utf8')
            const configuration = configurationOf({ entry, text })
            await keepRuleSet(configuration)
            await keepAddressData(addressDataOf(configuration), layout, source)
          } catch (error) {
            return reasonOf(error)
          }
        }
        await keep(disk.held, { entry, text })
        return undefined
      }),
    enforce: (entry) =>
      inTurn(async () => {
        const { wanted, held } = disk
        if (wanted?.entry.sequence !== entry.sequence) return undefined
        let reason: string | undefined
        try {
          reason = await put(wanted)
        } catch (error) {
          if (error instanceof NginxAway) throw error
          reason = reasonOf(error)
        }
        await keep(reason === undefined ? wanted : held, null)
        await forgetAddressData(addressDataOf(readable(disk.held)), layout)
        if (reason !== undefined) {
          log.warn('a node configuration is refused; the one before stays', { revision: entry.revision, reason })
          return reason
        }
        changed(configurationOf(wanted))
        log.info('a node configuration is in force', { revision: entry.revision })
        return undefined
      }),
    refresh: () =>
      inTurn(async () => {
        const settings = await settingsOf(readable(disk.held))
        const text = renderNginxConf(settings)
        const old = await readIfThere(path)
        if (old?.toString('utf8') === text) return
        const reason = old && (await tryConf(program, settings))
        if (reason === undefined) await writeDurably(path, text, layout.readable)
        else log.error('nginx does not accept its new configuration; the last one stays', { reason })
      }),
  }
}

/** The parts of the WAF rule sets that a configuration assigns to this node. */
function ruleSetsOf(configuration: ReturnType<typeof configurationOf>, nodeId: number): string[] {
  if (configuration === undefined) return []
  const { wafRules, wafResponses, wafShadow } = ownOf(configuration, nodeId)
  return [wafRules ?? [], wafResponses ?? [], wafShadow?.rules ?? []].flat()
}

/** A configuration that was valid when put in force may use a schema that this version of the agent cannot read. */
function readable(stored: Stored | null): ReturnType<typeof configurationOf> {
  try {
    return configurationOf(stored)
  } catch (error) {
    log.error('the node configuration in force is unreadable; the defaults hold', { reason: reasonOf(error) })
    return undefined
  }
}

/** Whether a feed entry is the node configuration. */
export const isConfiguration = ({ site }: { site: number }): boolean => site === configurationSite
