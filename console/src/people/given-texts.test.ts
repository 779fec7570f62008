import { expect, test } from 'vitest'
import { phrases } from './words/en_US.ts'

test('what becomes of a role is said in the words that the specification gives', () => {
  expect(phrases).toMatchObject({
    'role.createFailed': 'Create Role Failed !',
    'role.updateFailed': 'Update Role Failed !',
    'role.removeFailed': 'Remove Role Failed !',
    'role.set': 'Update User‘s Role Success !',
  })
})
