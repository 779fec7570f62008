import type { Phrases } from '../../platform/phrases.ts'
import type { phrases as source } from './zh_TW.ts'

export const phrases = {
  'console.user': 'Customer console',
  'console.client': 'Operator console',
  'console.admin': 'Vendor console',
  language: 'Language',
  authMismatch: 'Auth is not match !',
  'notFound.title': 'Page not found',
  'notFound.text': 'The address may be wrong, or the page has moved.',
  'notFound.home': 'Back to home',
  'notAllowed.title': 'Your role cannot open this page',
  'notAllowed.text': 'Ask the owner of your account for access.',
  'crashed.title': 'Something went wrong on this page',
} satisfies Phrases<typeof source>
