/**
 * Countries of the world: chosen on a map with the mouse, or in a tree by continent and name, which also works with the
 * keyboard.
 */

import { tagOf } from '@breakwater/contract/phrases.ts'
import { useMemo } from 'react'
import { type Continent, continents, useCountryName } from '../platform/countries.ts'
import { useLocale } from '../platform/locale.ts'
import { usePhrases } from '../platform/phrases.ts'
import { type Branch, CheckTree } from './CheckTree.tsx'
import { cn } from './cn.ts'
import { WorldMap } from './WorldMap.tsx'

type Props = {
  label: string
  /** ISO 3166 codes. */
  value: readonly string[]
  onChange: (value: string[]) => void
  /** Map and tree are stacked, as in a drawer. */
  isNarrow?: boolean
}

export function RegionPicker({ label, value, onChange, isNarrow = false }: Props) {
  const t = usePhrases('kit')
  const nameOf = useCountryName()
  const { locale } = useLocale()
  const chosen = useMemo(() => new Set(value), [value])
  const rows = useMemo(() => value.map((name) => ({ name, value: 1 })), [value])
  const branches = useMemo(() => {
    const order = new Intl.Collator(tagOf(locale)).compare
    return Object.entries(continents).map(
      ([key, codes]): Branch => ({
        key,
        label: t(`continent.${key as Continent}`),
        leaves: codes
          .map((code) => ({ key: code, label: nameOf(code), text: `${code} ${nameOf(code)}` }))
          .sort((a, b) => order(a.label, b.label)),
      }),
    )
  }, [nameOf, locale, t])
  function set(codes: readonly string[], on: boolean) {
    const next = new Set(value)
    for (const code of codes) on ? next.add(code) : next.delete(code)
    onChange([...next])
  }
  return (
    <fieldset className={cn('grid items-start gap-3', !isNarrow && 'lg:grid-cols-[3fr_2fr]')}>
      <legend className="mb-1.5 font-medium">{label}</legend>
      <div className="min-w-0">
        <WorldMap
          label={label}
          rows={rows}
          nameOf={nameOf}
          format={String}
          isPicker
          onPick={(code) => set([code], !chosen.has(code))}
        />
        <p className="mt-1 text-ink-2 text-xs" role="status">
          {value.length === 0
            ? t('regions.none')
            : t('regions.chosen', { n: value.length, names: value.map(nameOf).join(t('regions.between')) })}
        </p>
      </div>
      <CheckTree
        branches={branches}
        chosen={chosen}
        onChange={set}
        searchLabel={t('regions.search')}
        none={t('regions.noMatch')}
        isFolded
      />
    </fieldset>
  )
}
