/** Media queries for layouts that CSS alone cannot handle. */
import { useSyncExternalStore } from 'react'

const queries = {
  phone: window.matchMedia('(max-width: 640px)'),
  /** Too narrow for all columns of the log beside its field bar. */
  middle: window.matchMedia('(max-width: 1400px)'),
}

export function useMedia(name: keyof typeof queries): boolean {
  return useSyncExternalStore(subscribes[name], () => queries[name].matches)
}

const subscribeTo = (media: MediaQueryList) => (tell: () => void) => {
  media.addEventListener('change', tell)
  return () => media.removeEventListener('change', tell)
}
const subscribes = { phone: subscribeTo(queries.phone), middle: subscribeTo(queries.middle) }
