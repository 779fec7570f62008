import { redirect } from '@tanstack/react-router'
import type { BeforeSession } from '../platform/manifest.ts'

export const beforeSession: BeforeSession = {
  links: [
    {
      path: 'switchUser',
      // Nobody acts for the vendor.
      tiers: ['user', 'client'],
      follow: async (tier, search) => {
        const { enterBySwitch } = await import('../platform/acting.ts')
        throw redirect({ to: await enterBySwitch(tier, search), search: {} as never, replace: true })
      },
    },
  ],
}
