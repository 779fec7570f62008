/**
 * Countries coloured by value. Show a list of the same numbers beside it; arrow keys move between countries on the map.
 */
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { WorldMapProps } from './geo/map-props.ts'

const Drawn = lazy(() => import('./geo/WorldMapDrawn.tsx').then((file) => ({ default: file.WorldMapDrawn })))

const place = 'aspect-[960/452] w-full'
/** The distance below the viewport at which a map begins to load, in px. */
const ahead = 200

/** Its atlas is the heaviest part of a page, so it loads only when it is about to be visible. */
export function WorldMap(props: WorldMapProps) {
  const [isNear, setNear] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // One call may report several crossings: in and out again.
    const watch = new IntersectionObserver((moments) => moments.some((at) => at.isIntersecting) && setNear(true), {
      rootMargin: `${ahead}px`,
    })
    if (box.current) watch.observe(box.current)
    return () => watch.disconnect()
  }, [])
  return isNear ? (
    <Suspense fallback={<div className={`skeleton appear-late ${place}`} />}>
      <Drawn {...props} />
    </Suspense>
  ) : (
    <div ref={box} data-loads-when-near className={place} />
  )
}
