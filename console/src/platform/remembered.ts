/** A person's preferences in this browser: stored by account, so that two people at one machine do not share them. */
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { z } from 'zod'
import { useSelf } from './session.ts'

const watchers = new Set<() => void>()
const subscribe = (watch: () => void) => {
  watchers.add(watch)
  addEventListener('storage', watch)
  return () => {
    watchers.delete(watch)
    removeEventListener('storage', watch)
  }
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? {} : JSON.parse(text)
  } catch {
    // Something else wrote there: unreadable data counts as no preference.
    return {}
  }
}

/** Reads the preference under a name, with a schema that has a default for everything, and returns how to change it. */
export function useRemembered<S extends z.ZodType>(
  name: string,
  schema: S,
): [z.output<S>, (next: z.output<S>) => void] {
  const { id } = useSelf()
  const key = `breakwater.${name}.${id}`
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(key))
  const value = useMemo(() => schema.parse(parsed(text)) as z.output<S>, [schema, text])
  const keep = useCallback(
    (next: z.output<S>) => {
      localStorage.setItem(key, JSON.stringify(next))
      for (const watch of watchers) watch()
    },
    [key],
  )
  return [value, keep]
}
