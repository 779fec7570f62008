import { expect, test } from 'vitest'
import { z } from 'zod'
import { prefilled } from './prefill.ts'

const schema = z.object({ ips: z.array(z.ipv4()).min(1), memo: z.string() })
const fresh = { ips: [], memo: '' }

test('a new rule is prefilled from the URL', () => {
  expect(prefilled(schema, fresh, { ips: ['203.0.113.7'] })).toEqual({ ips: ['203.0.113.7'], memo: '' })
})

test('invalid values and unknown fields are ignored', () => {
  for (const given of [{ ips: ['nonsense'] }, { other: 1 }, 'text', null, undefined]) {
    expect(prefilled(schema, fresh, given)).toEqual(fresh)
  }
})
