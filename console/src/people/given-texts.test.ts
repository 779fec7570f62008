import { expect, test } from 'vitest'
import { phrases } from './words/en_US.ts'

test("the outcome of a role change uses the specification's wording", () => {
  expect(phrases).toMatchObject({
    'role.createFailed': 'Create Role Failed !',
    'role.updateFailed': 'Update Role Failed !',
    'role.removeFailed': 'Remove Role Failed !',
    'role.set': 'Update User‘s Role Success !',
  })
})
