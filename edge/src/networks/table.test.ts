import { expect, test } from 'vitest'
import { namesOf } from './table.ts'

test('names of networks are told once each, in the order of numbers, without the quotes of the list', () => {
  const v4 = '1,9,300,"Acme ""Net"", Inc."\r\n10,19,20,Plain Networks\n20,29,300,Another name\nfirst,last,asn,name\n'
  expect(namesOf(v4, '1,2,7,Six\n3,4,20,Plain Networks')).toBe('7\tSix\n20\tPlain Networks\n300\tAcme "Net", Inc.\n')
})
