import type { Phrases } from '../../app/phrases.ts'
import type { phrases as source } from './zh_TW.ts'

export const phrases = {
  title: 'Sign in',
  account: 'Account or e-mail',
  password: 'Password',
  submit: 'Sign in',
  done: 'Login Success! Welcome!',
  codeSent: 'Please check mail to get verify code.',
  'verify.title': 'Enter the code',
  'verify.code': 'Code',
  'verify.submit': 'Verify',
  'verify.back': 'Back to sign-in',
  'change.title': 'Change password',
  'change.first': 'This is your first sign-in. Choose your own password before you go on.',
  'change.old': 'Current password',
  'change.new': 'New password',
  'change.newHelp': '8 characters or more, with a letter and a digit, without spaces.',
  'change.confirm': 'Repeat the new password',
  'change.submit': 'Change password',
  'change.done': 'Change password successful!',
} satisfies Phrases<typeof source>
