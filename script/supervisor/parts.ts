import { join } from 'node:path'
import { startClickHouse } from '../../server/src/engines/clickhouse.ts'
import { startPostgres } from '../../server/src/engines/postgres.ts'
import type { Command } from './command.ts'
import type { LogFile } from './log-file.ts'
import type { PortName, Settings } from './settings.ts'

/** The command lines of everything that runs; start.ts decides the order of starts. */
export function describeParts(settings: Settings, ports: Record<PortName, number>, folder: string) {
  const root = join(import.meta.dirname, '../..')
  const node = process.execPath
  const nodeFolder = join(settings.dataFolder, 'node')
  const portTexts = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]))
  const urls = { DATABASE_URL: settings.databaseUrl ?? '', CLICKHOUSE_URL: settings.clickhouseUrl ?? '' }

  // Half of a short process's time goes into compiling what the last run already compiled.
  const cache = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(settings.dataFolder, 'cache') }

  /** The control plane gets the whole environment, plus everything that was decided here. */
  const server = (...args: string[]): Command => ({
    program: node,
    args: [join(root, 'server/src/main.ts'), ...args],
    env: {
      ...process.env,
      ...cache,
      ...portTexts,
      ...urls,
      BREAKWATER_DATA: settings.dataFolder,
      ...(settings.demo && { BREAKWATER_DEMO: '1' }),
    },
    folder,
  })

  // Elsewhere a node is a separate machine, so here too it gets no URL and no password of the control plane.
  const { DATABASE_URL, DATABASE_TENANT_URL, CLICKHOUSE_URL, BREAKWATER_FIRST_PASSWORD, ...rest } = process.env
  const { BREAKWATER_MASTER_KEY_FILE, CREDENTIALS_DIRECTORY, BREAKWATER_TRUSTED_PROXIES, ...shared } = rest
  const nodeEnv: NodeJS.ProcessEnv = {
    ...shared,
    ...cache,
    ...portTexts,
    // The proxies in front of the edge are not those in front of the console.
    BREAKWATER_TRUSTED_PROXIES: process.env.EDGE_TRUSTED_PROXIES ?? '',
    BREAKWATER_NODE_DATA: nodeFolder,
    BREAKWATER_SERVER: `https://127.0.0.1:${ports.NODE_PORT}`,
  }
  const agentOf = (env: NodeJS.ProcessEnv, args: string[]): Command => ({
    program: node,
    args: [join(root, 'edge/src/agent/main.ts'), ...args],
    env,
    folder,
  })
  const nginxOf = (env: NodeJS.ProcessEnv): Command => ({
    program: 'nginx',
    args: ['-c', join(env.BREAKWATER_NODE_DATA!, 'nginx.conf'), '-e', 'stderr'],
    env,
    folder,
  })
  const agent = (...args: string[]) => agentOf(nodeEnv, args)
  const nginx = nginxOf(nodeEnv)
  // The lab belongs to the control plane: an nginx without listeners that only explains requests.
  const labEnv = { ...shared, ...cache, BREAKWATER_NODE_DATA: join(settings.dataFolder, 'lab') }
  const lab = { nginx: nginxOf(labEnv), render: agentOf(labEnv, ['render-lab']) }

  return {
    server,
    /** Known once the engines run. */
    urls,
    agent,
    nginx,
    lab,
    /** Passes the answer of enrol-local to the agent through its environment. */
    enrol(answer: { token: string; server: string; ca: string }) {
      nodeEnv.BREAKWATER_SERVER = answer.server
      nodeEnv.BREAKWATER_ENROL_TOKEN = answer.token
      nodeEnv.BREAKWATER_SERVER_CA = answer.ca
    },
    /** Starts the embedded engine; later parts receive its URL. */
    async postgres(log: LogFile) {
      const engine = await startPostgres({ dataFolder: settings.dataFolder, log })
      urls.DATABASE_URL = engine.url
      return engine
    },
    async clickhouse(log: LogFile) {
      const engine = await startClickHouse({
        dataFolder: settings.dataFolder,
        memoryMaxBytes: settings.clickhouseMemoryBytes,
        log,
      })
      urls.CLICKHOUSE_URL = engine.url
      return engine
    },
  }
}
