/**
 * The agent's command. Without a word it runs the agent; `render` writes what nginx needs to start and ends; so does
 * `render-lab` for an edge without listeners that only explains.
 */
import { runAgent } from './agent.ts'
import { defaultCertificate } from './default-certificate.ts'
import { EnrolError, exitCodes } from './enrol.ts'
import { layoutOf, makeLayout, workerUser } from './layout.ts'
import { log, reasonOf } from './log.ts'
import { holdFolder } from './only-one.ts'
import { readSettings, SettingError } from './settings.ts'

async function main(word: string | undefined): Promise<number> {
  const settings = readSettings()
  const user = workerUser(settings.nodeUser)
  const layout = layoutOf(settings.folder, user)
  makeLayout(layout, user)
  await defaultCertificate(layout)
  if (word === 'render' || word === 'render-lab') return 0
  if (word !== undefined) throw new SettingError(`unknown word ${word}: render, render-lab or none`)
  if (!(await holdFolder(layout.folder))) {
    log.error('another agent runs on this folder', { folder: layout.folder })
    return exitCodes.running
  }
  const stop = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort())
  await runAgent(settings, layout, stop.signal)
  return 0
}

try {
  process.exit(await main(process.argv[2]))
} catch (error) {
  log.error(reasonOf(error), error instanceof Error && !(error instanceof SettingError) ? { stack: error.stack } : {})
  process.exit(error instanceof EnrolError ? error.exitCode : error instanceof SettingError ? exitCodes.setting : 1)
}
