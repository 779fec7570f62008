/** The first sites by name, each with the progress of its latest settings. */
import { sites } from '@breakwater/contract/sites/sites.ts'
import { ApplyProgress } from '../kit/ApplyProgress.tsx'
import { Link } from '../kit/Link.tsx'
import { useCall } from '../platform/calls.ts'
import { usePlaces } from '../platform/places.ts'
import { usePublishStatus } from './publish-status.ts'

const shownMax = 6

export function SiteStatusList() {
  const { data } = useCall(sites.meta, {})
  return (
    <ul className="divide-y divide-line">
      {data?.data.slice(0, shownMax).map(({ siteID, siteName }) => (
        <Row key={siteID} id={siteID} name={siteName} />
      ))}
    </ul>
  )
}

function Row({ id, name }: { id: number; name: string }) {
  const places = usePlaces()
  const status = usePublishStatus(id)
  return (
    <li className="flex min-h-9 items-center justify-between gap-x-3">
      <Link to={places.site(id, name)} className="min-w-0 truncate font-medium">
        {name}
      </Link>
      {status && (
        <div className="shrink-0">
          <ApplyProgress progress={status} />
        </div>
      )}
    </li>
  )
}
