/** Prefills a new rule from the URL: this is how a number in the statistics leads to its rule. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { z } from 'zod'

/**
 * Returns `fresh` with the fields given in the URL, if they are valid. They are read once and removed from the URL, so
 * that the next new rule starts empty.
 */
export function usePrefill<Rule extends object>(schema: z.ZodType<Rule>, fresh: Rule): Rule {
  const given = useSearch({ strict: false, select: (search: { rule?: unknown }) => search.rule })
  const navigate = useNavigate()
  const [begun] = useState(() => prefilled(schema, fresh, given))
  useEffect(() => {
    if (given === undefined) return
    const without = ({ rule: _, ...rest }: Record<string, unknown>) => rest
    void navigate({ to: '.', search: without as never, replace: true, resetScroll: false })
  }, [given, navigate])
  return begun
}

export function prefilled<Rule extends object>(schema: z.ZodType<Rule>, fresh: Rule, given: unknown): Rule {
  if (given === null || typeof given !== 'object') return fresh
  const known = Object.entries(given).filter(([key]) => Object.hasOwn(fresh, key))
  const parsed = schema.safeParse({ ...fresh, ...Object.fromEntries(known) })
  return parsed.success ? parsed.data : fresh
}
