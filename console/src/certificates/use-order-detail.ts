/** Why no certificate was issued: our own text for causes we detected, or the authority's own message. */
import { usePhrases } from '../platform/phrases.ts'

export function useOrderDetail(): (detail: string) => string {
  const t = usePhrases('certificates')
  return (detail) => {
    const key = `order.${detail}`
    const text = (t as (name: string) => string)(key)
    return text === key ? detail : text
  }
}
