import { defineConfig } from 'vitest/config'

/** One project a room, so that `vitest run --project server` asks one room only. */
export default defineConfig({
  test: {
    // A process of its own for each file: native engines and changed environments end with it.
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      project('contract', ['contract/src/**/*.test.ts']),
      project('server', ['server/src/**/*.test.ts']),
      project('edge', ['edge/src/**/*.test.ts', 'edge/box/**/*.test.ts']),
      project('console', ['console/src/**/*.test.{ts,tsx}']),
      project('script', ['script/**/*.test.ts']),
      project('tests', ['tests/**/*.test.ts']),
    ],
  },
})

function project(name: string, include: string[]) {
  return { test: { name, include, testTimeout: 30_000, hookTimeout: 60_000 } }
}
