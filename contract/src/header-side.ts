/**
 * Which message a header is set on. Separate from the fields, which the console's first page loads; it does not need
 * this.
 */
import { wordOf } from './enumeration.ts'

export const HeaderSide = wordOf(
  'HeaderSide',
  'Which message gets the header: the visitor’s answer or the origin’s request.',
  ['response', 'request'],
)
