/** Tests an nginx.conf before it replaces the current one: `nginx -t` in a temporary folder. */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import { nodeFolders } from '../nginx/folder.ts'
import { renderNginxConf } from '../nginx/render.ts'

const PATIENCE_MS = 30_000
const REASON_MAX = 300

/**
 * Returns why nginx rejects the nginx.conf of these settings, or undefined. The text differs from the real one only in
 * its paths.
 */
export async function tryConf(program: string, settings: NodeSettings): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'bw-try-'))
  try {
    const text = renderNginxConf({ ...settings, folder })
    for (const { path } of nodeFolders({ folder })) await mkdir(path, { recursive: true })
    for (const name of ['default.crt', 'default.key']) await copyFile(join(settings.folder, name), join(folder, name))
    const conf = join(folder, 'nginx.conf')
    await writeFile(conf, text)
    const asked = ['-t', '-q', '-c', conf, '-p', folder, '-e', 'stderr']
    await promisify(execFile)(program, asked, { timeout: PATIENCE_MS })
    return undefined
  } catch (error) {
    return sayWhy(error, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** nginx's error message, without times, process IDs and the temporary folder. */
function sayWhy(error: unknown, folder: string): string {
  const { stderr, message } = error as { stderr?: string; message?: string }
  const said = stderr?.split('\n').findLast((line) => line.includes('[emerg]')) ?? message ?? String(error)
  return plainSentence(said).replaceAll(`${folder}/`, '').slice(0, REASON_MAX)
}

/** A line of nginx's error log as a sentence. */
export const plainSentence = (line: string): string =>
  `nginx: ${line
    .replace(/^.*\[emerg\] (\d+#\d+: )?/, '')
    .replace(/^nginx: /, '')
    .trim()}`
