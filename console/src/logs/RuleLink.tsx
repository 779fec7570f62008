/** A link to a rule of a site. */
import type { ReactNode } from 'react'
import { Link } from '../kit/Link.tsx'
import { usePlaces } from '../platform/places.ts'
import { useRuleKinds } from '../platform/rule-kinds.ts'

export type OfRule = { site: { id: number; name: string }; guard: string; rule: number }

/** Links to the rule in its editor; without a page for its kind, just renders the children. */
export function RuleLink({ site, guard, rule, change, children }: OfRule & { change?: object; children: ReactNode }) {
  const places = usePlaces()
  const tab = useRuleKinds()[guard]?.tab
  if (!tab) return children
  const search = { tab, edit: rule, ...(change ? { rule: change } : {}) }
  return (
    <Link to={places.site(site.id, site.name)} search={search as never} className="text-accent">
      {children}
    </Link>
  )
}
