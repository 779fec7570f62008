/** Converts an endpoint and its input to an HTTP request. */
import type { AnyEndpoint, Input, Tier } from '@breakwater/contract/endpoint.ts'

type Loose = { query?: Record<string, unknown>; body?: unknown; [param: string]: unknown }

/** The URL of a call below `/api/v1`, with `:tier` and ids filled in. Empty values are left out of the query. */
export function addressOf<E extends AnyEndpoint>(endpoint: E, tier: Tier, input: Input<E>): string {
  const values = input as Loose
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(name === 'tier' ? tier : String(values[name])),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values.query ?? {})) {
    for (const part of Array.isArray(value) ? value : [value]) {
      if (part !== undefined && part !== null && part !== '') query.append(name, String(part))
    }
  }
  return `/api/v1${path}${query.size > 0 ? `?${query}` : ''}`
}

/**
 * Returns JSON, or form data for a call with files. There, lists become comma-separated strings, and undefined values
 * are left out.
 */
export function bodyOf<E extends AnyEndpoint>(endpoint: E, input: Input<E>): string | FormData | undefined {
  const { body } = input as Loose
  if (body === undefined) return undefined
  if (!endpoint.form) return JSON.stringify(body)
  const form = new FormData()
  for (const [name, value] of Object.entries(body as object)) {
    if (value !== undefined) form.append(name, value instanceof File ? value : String(value))
  }
  return form
}
