/**
 * The agent's command line. Without an argument it runs the agent; `render` writes what nginx needs to start, and
 * exits; `render-lab` does the same for an edge without listeners that only explains requests. `remove-kernel-bans` is
 * for a machine that is no longer a node.
 */
import { runAgent } from './agent.ts'
import { defaultCertificate } from './default-certificate.ts'
import { EnrolError, exitCodes } from './enrol.ts'
import { lockFolder } from './folder-lock.ts'
import { giveBackMemory } from './give-back-memory.ts'
import { heldConfiguration } from './held-configuration.ts'
import { readIdentity } from './identity.ts'
import { removal, tableOf } from './kernel-table.ts'
import { chooseWorkerUser, layoutOf, makeLayout } from './layout.ts'
import { log, reasonOf } from './log.ts'
import { nft } from './nft.ts'
import { removeStaleSockets, writeNginxConf } from './nginx-conf.ts'
import { nginxFacts } from './nginx-facts.ts'
import { nodeSettings } from './node-settings.ts'
import { readSettings, SettingError } from './settings.ts'

const GRACE_MS = 2000

async function main(word: string | undefined): Promise<number> {
  if (word !== undefined && word !== 'render' && word !== 'render-lab' && word !== 'remove-kernel-bans') {
    throw new SettingError(`unknown word ${word}: render, render-lab, remove-kernel-bans or none`)
  }
  const settings = readSettings()
  if (word === 'remove-kernel-bans') {
    await nft.run(removal(tableOf(settings.httpPort)))
    return 0
  }
  const user = chooseWorkerUser(settings.nodeUser, settings.folder)
  const layout = layoutOf(settings.folder, user)
  makeLayout(layout, user)
  await defaultCertificate(layout)
  if (word !== undefined) {
    await removeStaleSockets(layout)
    const isLab = word === 'render-lab'
    const configuration = isLab ? undefined : await heldConfiguration(layout)
    const { capabilities } = await nginxFacts(settings.nginx, settings.modulesFolder)
    const identity = await readIdentity(layout)
    await writeNginxConf(
      layout,
      await nodeSettings(settings, identity, layout, user, isLab, configuration, capabilities),
    )
    return 0
  }
  if (!(await lockFolder(layout.folder))) {
    log.error('another agent runs on this folder', { folder: layout.folder })
    return exitCodes.running
  }
  const stop = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort())
  // Steps still waiting for a reply are cut off then: every step can be interrupted at any time.
  stop.signal.addEventListener('abort', () => setTimeout(() => process.exit(0), GRACE_MS).unref())
  giveBackMemory()
  await runAgent(settings, layout, user, stop.signal)
  return 0
}

try {
  process.exit(await main(process.argv[2]))
} catch (error) {
  log.error(reasonOf(error), error instanceof Error && !(error instanceof SettingError) ? { stack: error.stack } : {})
  process.exit(error instanceof EnrolError ? error.exitCode : error instanceof SettingError ? exitCodes.setting : 1)
}
