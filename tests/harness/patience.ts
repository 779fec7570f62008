/**
 * Waits of all tests are patient: they end with their condition, so a loaded machine costs time and no failure. The
 * default of the runner, a second, is an idle machine's.
 */
import { vi } from 'vitest'

const patient = { timeout: 60_000, interval: 20 }
type Options = number | { timeout?: number; interval?: number } | undefined
const patiently = (options: Options) => (typeof options === 'number' ? options : { ...patient, ...options })

const { waitFor, waitUntil } = vi
vi.waitFor = (callback, options) => waitFor(callback, patiently(options))
vi.waitUntil = (callback, options) => waitUntil(callback, patiently(options))
