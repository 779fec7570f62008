/**
 * Gives the waits of all tests a generous timeout: they end with their condition, so a loaded machine costs time and
 * causes no failure. The runner's default of a second suits an idle machine.
 */
import { vi } from 'vitest'

const patient = { timeout: 60_000, interval: 20 }
type Options = number | { timeout?: number; interval?: number } | undefined
const patiently = (options: Options) => (typeof options === 'number' ? options : { ...patient, ...options })

const { waitFor, waitUntil } = vi
vi.waitFor = (callback, options) => waitFor(callback, patiently(options))
vi.waitUntil = (callback, options) => waitUntil(callback, patiently(options))
