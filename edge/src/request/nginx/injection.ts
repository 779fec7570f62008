/**
 * libinjection, which Debian ships inside libmodsecurity3: detects whether a text would act as SQL or as a script where
 * it is inserted.
 */
import * as ffi from 'ffi'
import { raise } from './raise.ts'

ffi.cdef(`
int libinjection_sqli(const char *text, size_t length, char fingerprint[]);
int libinjection_xss(const char *text, size_t length);
`)

/** The library writes at most eight bytes; this has room for twice as many. */
const fingerprint = ffi.new('char[16]')
let library: typeof ffi.C | undefined

/** Throws if the library is not installed: rules that need it would never match. */
export function requireInjection(): void {
  if (library !== undefined) return
  const [isLoaded, found] = pcall(() => ffi.load('libmodsecurity.so.3'))
  if (!isLoaded) throw new Error('the package libmodsecurity3 is not installed')
  library = found as typeof ffi.C
}

function loaded(): typeof ffi.C {
  if (library === undefined) return raise('the package libmodsecurity3 is not installed')
  return library
}

export const isSqlInjection = (text: string): boolean =>
  loaded().libinjection_sqli!(text, text.length, fingerprint) !== 0

export const isCrossSiteScripting = (text: string): boolean => loaded().libinjection_xss!(text, text.length) !== 0
