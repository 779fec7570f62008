import type { Tier } from '@breakwater/contract/endpoint.ts'
import { redirect } from '@tanstack/react-router'
import type { Area } from '../platform/manifest.ts'

export const area: Area = {
  pages: [
    {
      paths: { user: 'changePassword', client: 'changePassword', admin: 'changePassword' },
      title: { zh_TW: '變更密碼', zh_CN: '修改密码', en_US: 'Change password' },
      group: 'me',
      order: 20,
      load: () => import('./ChangePasswordScreen.tsx').then((file) => file.ChangePasswordScreen),
      words: ['auth'],
    },
  ],
  signInPages: [
    { path: 'login', load: () => import('./SignInScreen.tsx').then((file) => file.SignInScreen) },
    { path: 'login/sso', load: () => import('./SsoReturnScreen.tsx').then((file) => file.SsoReturnScreen) },
    { path: 'login/verifyAccount', load: () => import('./VerifyScreen.tsx').then((file) => file.VerifyScreen) },
    {
      path: 'login/createPassword',
      load: () => import('./CreatePasswordScreen.tsx').then((file) => file.CreatePasswordScreen),
    },
    {
      path: 'login/forgotPassword',
      load: () => import('./ForgotPasswordScreen.tsx').then((file) => file.ForgotPasswordScreen),
    },
  ],
  links: [
    {
      path: 'verifyMail',
      follow: async (tier, search) =>
        (await import('./verify-mail.ts')).followMailLink(tier, (search as { token?: unknown }).token),
    },
    // The specification's list can be read as naming these paths, too.
    ...['verifyAccount', 'createPassword'].map((path) => ({
      path,
      follow: async (tier: Tier, search: object) => {
        throw redirect({ to: `/${tier}/login/${path}`, search: search as never, replace: true })
      },
    })),
  ],
}
