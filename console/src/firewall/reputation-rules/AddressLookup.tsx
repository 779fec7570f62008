/** The score of one address and where it comes from, for support staff who are asked why a visitor is challenged. */
import { parseAddress } from '@breakwater/contract/addresses.ts'
import { type AddressReputation, addressReputation } from '@breakwater/contract/firewall/address-reputation.ts'
import { banPoints } from '@breakwater/contract/firewall/reputation.ts'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { reasonText } from '../../kit/faults.tsx'
import { Input } from '../../kit/Input.tsx'
import { Loaded } from '../../kit/Loaded.tsx'
import { Facts } from '../../kit/Panel.tsx'
import { queryClient, queryOf, useCall } from '../../platform/calls.ts'
import { useFormat } from '../../platform/format.ts'
import { usePhrases } from '../../platform/phrases.ts'

export function AddressLookup() {
  const t = usePhrases('firewall')
  const kit = usePhrases('kit')
  const id = useId()
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  function ask(event: FormEvent) {
    event.preventDefault()
    const ip = text.trim()
    const isAddress = parseAddress(ip) !== undefined
    setIsWrong(!isAddress)
    if (!isAddress) return
    setAsked(ip)
    // Asking again fetches the current data.
    const { queryKey } = queryOf(addressReputation.find, { query: { ip } })
    void queryClient.invalidateQueries({ queryKey })
  }
  return (
    <section className="mt-6 max-w-[880px]" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className="font-semibold">
        {t('lookup.title')}
      </h2>
      <form onSubmit={ask} noValidate className="mt-2 flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-60">
          <label htmlFor={id} className="mb-1 block text-ink-2 text-xs">
            {t('lookup.address')}
          </label>
          <Input
            id={id}
            value={text}
            placeholder="192.0.2.7"
            className="mono"
            aria-invalid={isWrong}
            aria-describedby={`${id}-wrong`}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <Button type="submit">{t('lookup.do')}</Button>
      </form>
      <p id={`${id}-wrong`} role="alert" className="mt-1 text-bad text-xs">
        {isWrong && reasonText('wrongFormat', kit)}
      </p>
      {asked !== '' && <Found ip={asked} />}
    </section>
  )
}

function Found({ ip }: { ip: string }) {
  const t = usePhrases('firewall')
  const call = useCall(addressReputation.find, { query: { ip } })
  return (
    <Loaded title={ip} help={t('lookup.help')} call={call}>
      {(found) => <Sources {...found} />}
    </Loaded>
  )
}

function Sources({ score, networks, bans }: AddressReputation) {
  const t = usePhrases('firewall')
  const format = useFormat()
  return (
    <Facts>
      <dt className="text-ink-3">{t('lookup.score')}</dt>
      <dd className="num font-semibold">{score === 0 ? t('lookup.none') : format.number(score)}</dd>
      <dt className="text-ink-3">{t('scores.list')}</dt>
      <dd>
        {networks.length === 0 ? (
          t('lookup.notListed')
        ) : (
          <ul>
            {networks.map(({ network, score: ofNetwork }) => (
              <li key={network}>
                <span className="mono">{network}</span> · <span className="num">{format.number(ofNetwork)}</span>
              </li>
            ))}
          </ul>
        )}
      </dd>
      <dt className="text-ink-3">{t('lookup.bans')}</dt>
      <dd>
        {bans.lastAt === null
          ? t('lookup.notBanned', { days: banPoints.daysMax })
          : t('lookup.banned', {
              sites: bans.sites,
              score: format.number(bans.score),
              moment: format.moment(bans.lastAt),
            })}
      </dd>
    </Facts>
  )
}
