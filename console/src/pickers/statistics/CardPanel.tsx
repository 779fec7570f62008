/** The numbers of one card as a panel, as a widget shows them. */
import { cardTypes, statistics } from '@breakwater/contract/statistics/statistics.ts'
import { Failed } from '../../kit/faults.tsx'
import { Panel } from '../../kit/Panel.tsx'
import { useCall } from '../../platform/calls.ts'
import { useFormat } from '../../platform/format.ts'
import { type PlainKey, usePhrases } from '../../platform/phrases.ts'
import { CardsRow } from './CardsRow.tsx'
import { Until } from './Until.tsx'
import { useStatView } from './view.ts'

export type CardType = (typeof cardTypes)[keyof typeof cardTypes]

const volumes = new Set(['traffic', 'received'])

/** Counts are short; volumes have a unit, which must stay on the same line. */
const narrow = 'grid-cols-[repeat(auto-fill,minmax(68px,1fr))]'
const wide = 'grid-cols-[repeat(auto-fill,minmax(100px,1fr))]'

export function CardPanel({ type, className }: { type: CardType; className?: string }) {
  return type === cardTypes.request ? <CardsRow /> : <Numbers type={type} className={className ?? ''} />
}

function Numbers({ type, className }: { type: CardType; className: string }) {
  const t = usePhrases('statistics')
  const format = useFormat()
  const { scope, pick } = useStatView()
  const call = useCall(statistics.info, { body: { type, ...scope } })
  const card = call.data?.data[type]
  const isCodes = type === cardTypes.status
  // Of the seventeen codes, only those that occurred.
  const shown = Object.entries(card ?? {}).filter(([, value]) => !isCodes || value > 0)
  const hasVolume = shown.some(([name]) => volumes.has(name))
  return (
    <Panel
      title={t(`card.${type}` as PlainKey<'statistics'>)}
      aside={call.data && <Until time={call.data.untils[type] ?? call.data.until} />}
      className={className}
    >
      {call.isError && !card && <Failed fault={call.error} retry={() => call.refetch()} />}
      {card && shown.length === 0 && <p className="py-4 text-ink-3">{t('ranks.empty')}</p>}
      <dl className={`num grid gap-x-2.5 gap-y-2 ${hasVolume ? wide : narrow}`}>
        {shown.map(([name, value]) => {
          const text = volumes.has(name) ? format.bytes(value) : format.compact(value)
          return (
            <div key={name}>
              <dt className="text-ink-3 text-xs">
                {/^\d+$/.test(name) ? name : t(`card.${name}` as PlainKey<'statistics'>)}
              </dt>
              <dd className="whitespace-nowrap font-semibold text-[18px] leading-7">
                {/^\d+$/.test(name) ? (
                  <button
                    type="button"
                    title={t('filterBy', { name })}
                    className="-mx-1 rounded-[6px] px-1 hover:bg-mute"
                    onClick={() => pick('status', name)}
                  >
                    {text}
                  </button>
                ) : (
                  text
                )}
              </dd>
            </div>
          )
        })}
      </dl>
    </Panel>
  )
}
