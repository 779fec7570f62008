/**
 * The embedded ClickHouse: the engine of npm's chdb in a separate process, behind ClickHouse's HTTP dialect on
 * 127.0.0.1, so that the rest of the server uses it like any cluster. A separate process isolates its settings, its
 * memory and its crashes. Started by clickhouse.ts: `chdbd.ts <data folder> <memory in bytes> [outlive]`.
 *
 * Unlike a server it keeps no sessions between requests, holds a response in memory completely before sending it, has
 * one user, and cannot stop a query whose client disconnected: set `max_execution_time` for long ones.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { makeClickHouseServer } from './chdb-http.ts'
import { openStore } from './chdb-store.ts'
import { identifyProcess } from './process-identity.ts'
import { secretFile } from './secret-file.ts'

const [dataFolder = '', memory = '', outlive] = process.argv.slice(2)
const folder = join(dataFolder, 'clickhouse')
const memoryMaxBytes = Number(memory)
const CLOSE_PATIENCE_MS = 10_000

writeFileSync(join(folder, 'process.json'), JSON.stringify(identifyProcess(process.pid)))
const store = openStore(folder, memoryMaxBytes)
const server = makeClickHouseServer(store, {
  user: 'breakwater',
  password: secretFile(join(dataFolder, 'secrets', 'clickhouse')),
  bodyMaxBytes: Math.min(256 << 20, memoryMaxBytes / 4),
  bodiesMaxBytes: memoryMaxBytes / 2,
})

const portFile = join(folder, 'port')
const port = await listen(server, rememberedPort()).catch(() => listen(server, 0))
writeFileSync(portFile, String(port))
process.send?.({ port })

process.on('SIGTERM', close)
process.on('SIGINT', close)
// The channel to the launcher breaks when the launcher dies. Then nobody would ever stop this process, unless the next
// launcher takes it over.
if (!outlive) process.on('disconnect', close)

/** Clients keep their URL when the engine is restarted, as long as nobody else took the port. */
function rememberedPort(): number {
  try {
    return Number(readFileSync(portFile, 'utf8')) || 0
  } catch {
    return 0
  }
}

function listen(on: Server, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    on.once('error', reject)
    on.listen(wanted, '127.0.0.1', () => {
      on.off('error', reject)
      resolve((on.address() as AddressInfo).port)
    })
  })
}

let closing = false
function close() {
  if (closing) return
  closing = true
  // A running query cannot be interrupted, and calling exit() during one crashes the engine. SIGKILL loses nothing:
  // everything acknowledged is in its files.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), CLOSE_PATIENCE_MS).unref()
  server.close(async () => {
    await store.close()
    process.exit(0)
  })
  server.closeIdleConnections()
}
