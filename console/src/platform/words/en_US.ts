import type { Phrases } from '../../platform/phrases.ts'
import type { phrases as source } from './zh_TW.ts'

export const phrases = {
  'console.user': 'Customer console',
  'console.client': 'Operator console',
  'console.admin': 'Vendor console',
  language: 'Language',
  authMismatch: 'Auth is not match !',
  'notFound.title': 'This page does not exist',
  'notFound.text': 'The address may be mistyped, or the page has moved.',
  'notFound.home': 'Back to the start',
  'notAllowed.title': 'Your role does not open this page',
  'notAllowed.text': 'Ask the owner of your account for access.',
  'crashed.title': 'Something on this page broke',
} satisfies Phrases<typeof source>
