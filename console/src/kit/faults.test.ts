import { type ErrorName, errors } from '@breakwater/contract/errors.ts'
import { fill } from '@breakwater/contract/phrases.ts'
import { expect, test } from 'vitest'
import { Fault } from '../platform/fault.ts'
import type { Say } from '../platform/phrases.ts'
import { surfaceOf } from './error-surface.ts'
import { phrases as sentences } from './errors/words/en_US.ts'
import { faultText } from './faults.tsx'
import { phrases as kit } from './words/en_US.ts'

const sayer = <A extends 'errors' | 'kit'>(texts: Record<string, string>) =>
  ((key: string, values?: Record<string, string | number>) =>
    fill(texts[key] ?? key, 'en_US', values)) as unknown as Say<A>
const textOf = (fault: Fault) => faultText(fault, sayer<'errors'>(sentences), sayer<'kit'>(kit))
const faultOf = (name: ErrorName, extra?: unknown) =>
  new Fault({ ...errors[name], message: 'as the server says', extra })

test('every code of the catalogue has a text of its own, with no placeholder left', () => {
  for (const name of Object.keys(errors) as ErrorName[]) {
    // The port is part of the response; without it, the server's message is better.
    if (name === 'illegalPortMapping') continue
    const text = textOf(faultOf(name))
    expect(text, name).not.toMatch(/\{\w+\}|as the server says/)
    expect(text.length, name).toBeGreaterThan(1)
    expect(text, name).not.toBe(name)
  }
})

test('the details that some errors carry appear in their texts', () => {
  expect(textOf(faultOf('illegalPortMapping', ['port 8443 is taken']))).toContain('(8443)')
  expect(textOf(faultOf('illegalPortMapping', 'who knows'))).toBe('as the server says')
  expect(textOf(faultOf('simultaneousExportsExceedLimit'))).toContain('3')
  expect(textOf(faultOf('autoSslExceedsLimit', { max: 20 }))).toContain('can have 20 automatic certificates')
  expect(textOf(faultOf('autoSslExceedsLimit'))).toBe(sentences.autoSslExceedsLimit)
  expect(textOf(faultOf('dailyExportsExceedLimit', 7))).toContain('7')
  expect(textOf(faultOf('parameterError', 'invalid license key'))).toBe(kit['fault.invalidLicenseKey'])
  expect(textOf(faultOf('parameterError', 'module in use'))).toBe(kit['fault.moduleInUse'])
  expect(textOf(faultOf('parameterError', 'role in use'))).toBe(kit['fault.roleInUse'])
  expect(textOf(faultOf('parameterError', 'something else'))).toBe(sentences.parameterError)
})

test('an unknown code shows the server’s message, and a missing response shows ours', () => {
  expect(textOf(new Fault({ code: 999_999, status: 400, message: 'Moon is full' }))).toBe('Moon is full')
  expect(textOf(new Fault({}))).toBe(kit['fault.offline'])
  expect(textOf(new Fault({ status: 502 }))).toBe(kit['fault.unavailable'])
})

test('codes that end a session lead to the sign-in page, a list is a list, and success is silent', () => {
  const ending = ['invalidToken', 'tokenExpired', 'revokeTokenFailed', 'refreshTokenFailed'] as const
  expect(ending.map((name) => surfaceOf(faultOf(name)))).toEqual(ending.map(() => 'signIn'))
  expect(surfaceOf(faultOf('multipleErrors'))).toBe('list')
  expect(surfaceOf(faultOf('ok'))).toBe('silent')
  expect(surfaceOf(faultOf('siteInUse'))).toBe('sentence')
  expect(surfaceOf(new Fault({ code: 999_999 }))).toBe('sentence')
})
