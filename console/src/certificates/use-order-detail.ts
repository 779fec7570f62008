/** Why no certificate came: our own words for what we saw, or the authority's as it said it. */
import { usePhrases } from '../platform/phrases.ts'

export function useOrderDetail(): (detail: string) => string {
  const t = usePhrases('certificates')
  return (detail) => {
    const key = `order.${detail}`
    const text = (t as (name: string) => string)(key)
    return text === key ? detail : text
  }
}
