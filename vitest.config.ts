import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/longest-first.ts'

const printsPages = ['tests/walk/print-failed-pages.ts']

/** Files that use a product without changing global state: they share one, each as a customer of its own. */
const shared = [
  ...[
    'bad-input',
    'budgets',
    'certificates',
    'keyboard',
    'lists',
    'logs',
    'many-sites',
    'modules',
    'people',
    'plain',
  ].map((name) => `walk/${name}`),
  ...['screens', 'second-step', 'sessions', 'settings', 'statistics', 'trace', 'zone'].map((name) => `walk/${name}`),
  ...['backtest', 'whole'].map((name) => `product/${name}`),
].map((name) => `tests/${name}.test.ts`)

// Each file is a process, and a product is five more: what one of them compiled, the next one reads.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'breakwater-compile-cache')

/** One project per workspace, so that `vitest run --project server` runs only one. */
export default defineConfig({
  test: {
    // A process of its own for each file: native engines and changed environment variables end with it.
    pool: 'forks',
    // Two more than there are cores: at any time some files wait for a timer, an engine or a browser.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      project('contract', ['contract/src/**/*.test.ts'], { isolate: false }),
      // The engines start once per run, and each test gets a database of its own. A file's imports are a third of its
      // CPU time.
      project('server', ['server/src/**/*.test.ts'], {
        globalSetup: ['server/src/testing/global-setup.ts'],
        isolate: false,
      }),
      project('edge', ['edge/src/**/*.test.ts'], { isolate: false }),
      project('box', ['edge/box/**/*.test.ts'], { isolate: false }),
      project('console', ['console/src/**/*.test.{ts,tsx}'], { isNative: false, isolate: false }),
      project('script', ['script/**/*.test.ts']),
      // Files that need a product of their own start one themselves.
      project('walk', shared, { globalSetup: ['tests/harness/shared-product.ts'], setupFiles: printsPages }),
      project('tests', ['tests/**/*.test.ts'], { setupFiles: printsPages, exclude: shared }),
    ],
  },
})

type Options = {
  globalSetup?: string[]
  setupFiles?: string[]
  exclude?: string[]
  /** Node loads the sources as it does in the product; the runner's own loader is slower, and is for JSX. */
  isNative?: boolean
  /** False if no file changes its process permanently: they share processes. */
  isolate?: boolean
}

function project(
  name: string,
  include: string[],
  { globalSetup = [], setupFiles = [], exclude = [], isNative = true, isolate = true }: Options = {},
) {
  return {
    test: {
      name,
      isolate,
      include,
      exclude: ['**/node_modules/**', ...exclude],
      globalSetup,
      setupFiles: ['tests/harness/patience.ts', ...setupFiles],
      experimental: { viteModuleRunner: !isNative, nodeLoader: !isNative },
      // A generous timeout, not a limit: a machine with other load must not fail a test.
      expect: { poll: { timeout: 60_000 } },
      testTimeout: 300_000,
      hookTimeout: 300_000,
    },
  }
}
