/** Countries coloured by value. A list of the same numbers belongs beside it; arrows go through them on the map as well. */
import { lazy, Suspense } from 'react'
import type { WorldMapProps } from './geo/map-props.ts'

const Drawn = lazy(() => import('./geo/WorldMapDrawn.tsx').then((file) => ({ default: file.WorldMapDrawn })))

export function WorldMap(props: WorldMapProps) {
  return (
    <Suspense fallback={<div className="skeleton appear-late aspect-[960/452] w-full" />}>
      <Drawn {...props} />
    </Suspense>
  )
}
