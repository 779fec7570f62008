/** Countries coloured by value. A list of the same numbers belongs beside it; arrows go through them on the map as well. */
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { WorldMapProps } from './geo/map-props.ts'

const Drawn = lazy(() => import('./geo/WorldMapDrawn.tsx').then((file) => ({ default: file.WorldMapDrawn })))

const place = 'aspect-[960/452] w-full'
/** How far below the window a map begins to load, in px. */
const ahead = 200

/** Its atlas is the heaviest part of a page, so it comes when somebody is about to see it. */
export function WorldMap(props: WorldMapProps) {
  const [isNear, setNear] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Several moments may come in one call: past it and back.
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
