import { defineConfig } from 'vitest/config'

/** One project a room, so that `vitest run --project server` asks one room only. */
export default defineConfig({
  test: {
    // A process of its own for each file: native engines and changed environments end with it.
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      project('contract', ['contract/src/**/*.test.ts']),
      // The engines are booted once a run, and each test gets a database of its own.
      project('server', ['server/src/**/*.test.ts'], ['server/src/testing/global-setup.ts']),
      project('edge', ['edge/src/**/*.test.ts', 'edge/box/**/*.test.ts']),
      project('console', ['console/src/**/*.test.{ts,tsx}']),
      project('script', ['script/**/*.test.ts']),
      project('tests', ['tests/**/*.test.ts'], [], ['tests/walk/tell-pages.ts']),
    ],
  },
})

function project(name: string, include: string[], globalSetup: string[] = [], setupFiles: string[] = []) {
  return { test: { name, include, globalSetup, setupFiles, testTimeout: 60_000, hookTimeout: 60_000 } }
}
