/** Compiles the prefilters of WAF rule sets outside nginx's workers: it takes seconds of a core and some memory. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NginxState, NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import { renderPrefilterConf } from '../nginx/prefilter.ts'
import { writeDurably } from './files.ts'
import type { Layout } from './layout.ts'
import { log, reasonOf } from './log.ts'

const PATIENCE_MS = 15 * 60_000
/** The wait after a failure. */
const AGAIN_MS = 10 * 60_000
/** For this long after a compilation, nginx may still report a prefilter as missing that it is loading. */
const LOADING_MS = 20_000

export type Compiler = Pick<NodeSettings, 'modulesFolder' | 'luaFolder'> & { program: string }

/** Compiles a rule set's file into its databases, as bytes. Throws with nginx's error message. */
export async function compilePrefilter({ program, ...folders }: Compiler, ruleSet: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'bw-prefilter-'))
  try {
    const [conf, to] = [join(folder, 'nginx.conf'), join(folder, 'databases')]
    await writeFile(conf, renderPrefilterConf(folders, { folder, from: ruleSet, to }))
    await runNicely(program, ['-c', conf, '-p', folder, '-e', 'stderr'])
    return await readFile(to)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs a program at low priority: requests come first. */
function runNicely(program: string, words: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, words, { timeout: PATIENCE_MS }, (error, _, said) => {
      if (error) reject(new Error(said.trim().split('\n').at(-1) || error.message))
      else resolve()
    })
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  })
}

/** How many files are kept: each version of a rule set has one for requests and one for responses. */
const KEPT = 8

async function removeOld(folder: string): Promise<void> {
  const paths = (await readdir(folder)).map((name) => join(folder, name))
  const files = await Promise.all(paths.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })))
  for (const { path } of files.sort((a, b) => b.at - a.at).slice(KEPT)) await rm(path, { force: true })
}

export type Prefilters = {
  /** Compiles the prefilter that nginx reports as missing; one at a time, and with a delay after a failure. */
  note(state: Pick<NginxState, 'prefilter'>): void
  /** Why rules are evaluated without a prefilter, or undefined. */
  problem(): string | undefined
}

export function prefilterKeeper(compiler: Compiler, layout: Layout): Prefilters {
  let wrong: string | undefined
  let isBusy = false
  let notBefore = 0
  let last = { name: '', at: 0 }

  async function compile(ruleSet: string, name: string) {
    const bytes = await compilePrefilter(compiler, join(layout.objects, ruleSet.slice(0, 2), ruleSet))
    await writeDurably(join(layout.prefilters, name), bytes, layout.readable)
    await removeOld(layout.prefilters)
    last = { name, at: Date.now() }
    log.info('compiled the prefilter of a rule set', { ruleSet, bytes: bytes.length })
  }

  return {
    note({ prefilter }) {
      wrong =
        prefilter?.isInstalled === false
          ? 'the package libvectorscan5 is not installed: the WAF takes many times the processor time'
          : undefined
      if (prefilter?.ruleSet === undefined || prefilter.name === undefined || isBusy || Date.now() < notBefore) return
      if (prefilter.name === last.name && Date.now() < last.at + LOADING_MS) return
      isBusy = true
      compile(prefilter.ruleSet, prefilter.name)
        .then(
          () => {
            notBefore = 0
          },
          (error) => {
            notBefore = Date.now() + AGAIN_MS
            log.warn('cannot compile the prefilter of a rule set', { reason: reasonOf(error) })
          },
        )
        .finally(() => {
          isBusy = false
        })
    },
    problem: () => wrong,
  }
}
