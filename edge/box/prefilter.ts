/** Provides a node with the WAF prefilters that its agent would compile. Cached between tests: it takes CPU seconds. */
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compilePrefilter } from '../src/agent/prefilters.ts'
import { type Box, until } from './harness.ts'

const kept = join(tmpdir(), 'bw-test-prefilters')

type Settings = Box['settings']

/** To be called once a request has made a worker need one. Returns when no worker waits for any prefilter. */
export async function givePrefilter(box: Box): Promise<void> {
  const wanted = async () => (await box.state()).prefilter
  await until('a rule set that waits for its prefilter', wanted)
  for (let next = await wanted(); next !== undefined; next = await wanted()) {
    const { isInstalled, ruleSet, name } = next
    if (!isInstalled || ruleSet === undefined || name === undefined)
      throw new Error('the package libvectorscan5 is not installed')
    await copyFile(await compiledOf(box.settings, ruleSet, name), join(box.settings.folder, 'prefilters', name))
    await until('workers with the prefilter', async () => (await wanted())?.name !== name)
  }
}

async function compiledOf({ folder, modulesFolder, luaFolder }: Settings, ruleSet: string, name: string) {
  const path = join(kept, name)
  if (existsSync(path)) return path
  const object = join(folder, 'objects', ruleSet.slice(0, 2), ruleSet)
  const bytes = await compilePrefilter({ program: 'nginx', modulesFolder, luaFolder }, object)
  mkdirSync(kept, { recursive: true })
  writeFileSync(`${path}.${process.pid}`, bytes)
  renameSync(`${path}.${process.pid}`, path)
  return path
}
