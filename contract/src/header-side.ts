/** Which message a header is set on. Not among the fields: those come with the console's first page, and this does not. */
import { wordOf } from './enumeration.ts'

export const HeaderSide = wordOf(
  'HeaderSide',
  'Which message gets the header: the visitor’s answer or the origin’s request.',
  ['response', 'request'],
)
