/** Draws a world map and handles mouse and keyboard. Loaded when the first map is shown. */
import { type KeyboardEvent, type MouseEvent, useId, useMemo, useState } from 'react'
import { usePhrases } from '../../platform/phrases.ts'
import { cn } from '../cn.ts'
import { MapScale } from './MapScale.tsx'
import type { WorldMapProps } from './map-props.ts'
import { fillOf, strength } from './ramp.ts'
import { isPoint, mapSize, type Shape, shapes } from './world.ts'

export function WorldMapDrawn(props: WorldMapProps) {
  const { label, rows, nameOf, format, color = '--accent', onPick, isPicker = false } = props
  const t = usePhrases('kit')
  const id = useId()
  const [active, setActive] = useState<string>()
  const values = useMemo(() => new Map(rows?.map(({ name, value }) => [name, value])), [rows])
  const most = Math.max(0, ...values.values())
  const known = useMemo(
    () =>
      shapes
        .filter(({ code }) => (values.get(code) ?? 0) > 0)
        .sort((a, b) => values.get(b.code)! - values.get(a.code)!),
    [values],
  )
  const told = shapes.find(({ code }) => code !== '' && code === active)

  function press(event: KeyboardEvent) {
    const at = known.findIndex(({ code }) => code === active)
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (step !== undefined && known.length > 0) {
      setActive(known[at < 0 ? 0 : (at + step + known.length) % known.length]!.code)
    } else if (event.key === 'Home' || event.key === 'End') setActive(known.at(event.key === 'Home' ? 0 : -1)?.code)
    else if (event.key === 'Enter' && told && onPick) onPick(told.code, event.altKey)
    else if (event.key === 'Escape' && active) setActive(undefined)
    else return
    event.preventDefault()
  }

  /** While data is loading, the countries are already drawn but must not appear to be zero. */
  const isWaiting = rows === undefined && !isPicker
  const optionId = (code: string) => `${id}-${code}`
  const reach = isPicker
    ? { 'aria-hidden': true }
    : known.length === 0
      ? { role: 'img', 'aria-label': label }
      : {
          role: 'listbox',
          tabIndex: 0,
          'aria-label': onPick ? t('map.keys', { name: label }) : label,
          'aria-activedescendant': told ? optionId(told.code) : undefined,
          onKeyDown: press,
          onBlur: () => setActive(undefined),
        }
  return (
    <div className="relative min-w-0" aria-busy={isWaiting}>
      <div {...reach} className="rounded-[6px]">
        <svg
          viewBox={`0 0 ${mapSize.width} ${mapSize.height}`}
          className={cn('block h-auto w-full', isWaiting && 'breathing')}
          role="presentation"
        >
          {shapes.map((shape) => (
            <Country
              key={shape.code || shape.outline.slice(0, 20)}
              shape={shape}
              fill={fillOf(strength(values.get(shape.code) ?? 0, most), color)}
              isActive={shape.code !== '' && shape.code === active}
              isHidden={isPoint(shape.code) && !isPicker && !values.has(shape.code)}
              onOver={setActive}
              {...(onPick && shape.code ? { onPress: (event) => onPick(shape.code, event.altKey) } : {})}
              {...(!isPicker && (values.get(shape.code) ?? 0) > 0
                ? { id: optionId(shape.code), label: `${nameOf(shape.code)}: ${format(values.get(shape.code)!)}` }
                : {})}
            />
          ))}
        </svg>
      </div>
      {told && (
        <Tip shape={told}>
          {nameOf(told.code)}
          {!isPicker && <b className="num ml-2">{format(values.get(told.code) ?? 0)}</b>}
        </Tip>
      )}
      {!isPicker && most > 0 && <MapScale color={color} most={format(most)} />}
      {!isPicker && !isWaiting && known.length === 0 && (
        <p className="pointer-events-none absolute inset-0 grid place-items-center text-ink-3">{t('chart.empty')}</p>
      )}
    </div>
  )
}

type CountryProps = {
  shape: Shape
  fill: string
  isActive: boolean
  isHidden: boolean
  onOver: (code: string | undefined) => void
  onPress?: (event: MouseEvent) => void
  /** Only countries with a number are announced to screen readers. */
  id?: string
  label?: string
}

function Country({ shape, fill, isActive, isHidden, onOver, onPress, id, label }: CountryProps) {
  if (isHidden) return null
  const said = label ? { role: 'option', id, 'aria-label': label, 'aria-selected': isActive } : { 'aria-hidden': true }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it is an option wherever it has a number
    <path
      d={shape.outline}
      {...said}
      data-country={shape.code}
      onMouseEnter={() => onOver(shape.code)}
      onMouseLeave={() => onOver(undefined)}
      onClick={onPress}
      className={onPress ? 'cursor-pointer' : undefined}
      style={{
        fill,
        stroke: isActive ? 'var(--text)' : 'var(--surface)',
        strokeWidth: isActive ? 1.4 : 0.6,
        vectorEffect: 'non-scaling-stroke',
      }}
    />
  )
}

/** The tooltip at the centre of a country; placed to its left near the right edge. */
function Tip({ shape: { x, y }, children }: { shape: Shape; children: React.ReactNode }) {
  const [left, top] = [(x / mapSize.width) * 100, (y / mapSize.height) * 100]
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute z-1 w-max max-w-48 rounded-[8px] border border-line bg-raised px-2.5 py-1 text-xs shadow-pop"
      style={{
        left: `clamp(0%, ${left}%, 100%)`,
        top: `${top}%`,
        transform: `translate(${left > 70 ? 'calc(-100% - 10px)' : left < 30 ? '10px' : '-50%'}, ${top > 25 ? 'calc(-100% - 10px)' : '14px'})`,
      }}
    >
      {children}
    </div>
  )
}
