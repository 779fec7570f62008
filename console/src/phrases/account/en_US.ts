import type { Phrases } from '../../app/phrases.ts'
import type { phrases as source } from './zh_TW.ts'

export const phrases = {
  title: 'Profile',
  name: 'Name',
  account: 'Account',
  email: 'E-mail',
  console: 'Console',
  role: 'Role',
  'role.root': 'Owner',
  'role.member': 'Member',
  security: 'Sign-in',
  twoFactor: 'Second step',
  'twoFactor.0': 'None',
  'twoFactor.1': 'Code by e-mail',
  'twoFactor.2': 'Automatic',
  'twoFactor.3': 'Authenticator app',
  password: 'Change password',
  permissions: 'Permissions',
} satisfies Phrases<typeof source>
