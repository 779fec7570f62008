/** Gives a node what its agent would compile for its WAF. Kept between tests: it takes seconds of a core. */
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compilePrefilter } from '../src/agent/prefilters.ts'
import { type Box, until } from './harness.ts'

const kept = join(tmpdir(), 'bw-test-prefilters')

/** Once a request has made a worker want it; returns when no worker waits for it any more. */
export async function givePrefilter(box: Box): Promise<void> {
  const { folder, modulesFolder, luaFolder } = box.settings
  const wanted = async () => (await box.state()).prefilter
  await until('a rule set that waits for its prefilter', wanted)
  const { isInstalled, ruleSet, name } = (await wanted()) ?? {}
  if (isInstalled !== true || ruleSet === undefined || name === undefined)
    throw new Error('the package libvectorscan5 is not installed')
  const path = join(kept, name)
  if (!existsSync(path)) {
    const object = join(folder, 'objects', ruleSet.slice(0, 2), ruleSet)
    const bytes = await compilePrefilter({ program: 'nginx', modulesFolder, luaFolder }, object)
    mkdirSync(kept, { recursive: true })
    writeFileSync(`${path}.${process.pid}`, bytes)
    renameSync(`${path}.${process.pid}`, path)
  }
  await copyFile(path, join(folder, 'prefilters', name))
  await until('workers with the prefilter', async () => (await wanted()) === undefined)
}
