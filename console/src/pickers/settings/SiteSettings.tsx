/** A settings group of a site. */
import type { SettingsGroup } from '@breakwater/contract/settings.ts'
import type { ComponentProps } from 'react'
import type { z } from 'zod'
import { GroupSettings } from './GroupSettings.tsx'

type Props<Body extends z.ZodObject> = Omit<ComponentProps<typeof GroupSettings>, 'group' | 'place'> & {
  group: SettingsGroup<'site', Body, z.output<Body>>
  siteId: number
}

export function SiteSettings<Body extends z.ZodObject>({ group, siteId, ...rest }: Props<Body>) {
  return <GroupSettings group={group as never} place={{ siteId }} {...rest} />
}
