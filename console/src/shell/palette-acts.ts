/** What the palette offers besides pages: the actions of a site's tabs, and actions on the typed text. */
import { parseAddress } from '@breakwater/contract/addresses.ts'
import type { Permission } from '@breakwater/contract/permissions.ts'
import type { Pick } from '../kit/PickList.tsx'
import type { Title } from '../platform/locale.ts'
import type { Acts } from '../platform/manifest.ts'
import type { Say } from '../platform/phrases.ts'
import type { Places } from '../platform/places.ts'

export type Target = Pick & {
  /** Synonyms, in any language. */
  also?: string
} & ({ to: string; search?: Record<string, unknown> } | { run: () => void })

type SiteName = { id: number; name: string }
type Tools = { t: Say<'shell'>; titleOf: (title: Title) => string; places: Places; may: (can: Permission) => boolean }

/** How many sites an action is offered for outside of any site. */
const sitesMax = 5

const brought = Object.values(import.meta.glob<{ acts: Acts }>('../*/acts.ts', { eager: true })).map(({ acts }) => acts)
const allActs = brought.flatMap(({ acts = [] }) => acts)
const also: Record<string, string> = Object.assign({}, ...brought.map((one) => one.also ?? {}))

/** The title in every language, and the synonyms of a tab or path: a search in one language finds it in another. */
export const wordsOf = (title: Title, key: string): string => `${Object.values(title).join(' ')} ${also[key] ?? ''}`

/** The actions of the tabs, for the current site, or else for the first few. */
export function siteActs(here: SiteName | undefined, others: readonly SiteName[], tools: Tools): Target[] {
  const { titleOf, places, may } = tools
  const acts = allActs.filter(({ can, tiers = [places.tier] }) => may(can) && tiers.includes(places.tier))
  return (here ? [here] : others.slice(0, sitesMax)).flatMap((site) =>
    acts.map(({ key, title, tab, search, also: more = '' }) => ({
      key: `act-${key}-${site.id}`,
      label: here ? titleOf(title) : `${titleOf(title)} · ${site.name}`,
      group: tools.t('palette.acts'),
      also: `${wordsOf(title, key)} ${more}`,
      to: places.site(site.id, site.name),
      search: { tab, ...search },
    })),
  )
}

/** For a typed address: its requests, and within a site, rules that block or allow it. */
export function addressActs(typed: string, here: SiteName | undefined, { t, places, may }: Tools): Target[] {
  if (!parseAddress(typed)) return []
  const group = typed
  const site = here && places.site(here.id, here.name)
  const found = { view: 'search', f: [`ip:${typed}`], ...(site && { tab: 'logs' }) }
  const logs = {
    key: 'ip-logs',
    label: t('palette.ipLogs', { ip: typed }),
    group,
    to: site ?? places.logs,
    search: found,
  }
  const rule = { edit: 'new', rule: { ips: [typed] } }
  const rules =
    site && may('firewall.write')
      ? [
          {
            key: 'ip-deny',
            label: t('palette.ipDeny', { ip: typed }),
            group,
            to: site,
            search: { tab: 'denyList', ...rule },
          },
          {
            key: 'ip-allow',
            label: t('palette.ipAllow', { ip: typed }),
            group,
            to: site,
            search: { tab: 'allowList', ...rule },
          },
        ]
      : []
  return [...(may('logs.read') ? [logs] : []), ...rules]
}
