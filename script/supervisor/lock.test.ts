import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockFolder } from './lock.ts'

test('a data folder has only one supervisor, and is free again however that one ended', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'breakwater-test-'))
  const script = `const { lockFolder } = await import(${JSON.stringify(new URL('./lock.ts', import.meta.url))})
    await lockFolder(${JSON.stringify(dataFolder)}); console.log('locked'); setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')
  await expect(lockFolder(dataFolder)).rejects.toThrow(`already runs on ${dataFolder} (process ${holder.pid})`)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  await lockFolder(dataFolder)
  rmSync(dataFolder, { recursive: true })
})
