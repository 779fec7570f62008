/** The filters of both site lists: the name, and the other filters of the calls, loaded on request. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { SearchInput } from '../kit/Input.tsx'
import { later } from '../kit/later.tsx'
import { usePhrases } from '../platform/phrases.ts'
import { filterNames, type SiteFilterProps } from './site-filters.ts'

const SiteFilterBar = later(() => import('./SiteFilterBar.tsx').then((file) => file.SiteFilterBar))

export function SiteFilters({ state, go }: SiteFilterProps) {
  const t = usePhrases('sites')
  const tKit = usePhrases('kit')
  const [isAsked, setAsked] = useState(false)
  const isSet = filterNames.some((name) => state[name] !== '')
  return (
    <div className="mb-2.5 flex flex-wrap items-center gap-2">
      <SearchInput
        label={t('search')}
        value={state.siteName}
        onChange={(text) => go({ siteName: text, page: 1 }, { replace: true })}
      />
      {isAsked || isSet ? (
        // Its own margin belongs below this row.
        <div className="[&>div]:mb-0">
          <SiteFilterBar state={state} go={go} startsOpen={isAsked} />
        </div>
      ) : (
        <Button size="sm" look="ghost" className="h-7 border-line-strong border-dashed" onClick={() => setAsked(true)}>
          <Plus size={13} aria-hidden />
          {tKit('filter.add')}
        </Button>
      )}
    </div>
  )
}
