/** An origin, tried while it is typed: the answer stands under the field before anything is saved. */
import { domains } from '@breakwater/contract/domains/domains.ts'
import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useCall } from '../app/calls.ts'
import { useFormat } from '../app/format.ts'
import { usePhrases } from '../app/phrases.ts'
import { TextField } from '../kit/fields/TextField.tsx'
import { Status } from '../kit/Status.tsx'
import { formatOrigin, type OriginAddress, parseOrigin } from './origin-address.ts'

const pauseMs = 500

/** What a form keeps of an origin: its text. The schema of the form turns it into an address. */
export function OriginField({ name, siteId, hostHeader }: { name: string; siteId: number; hostHeader?: string }) {
  const t = usePhrases('domains')
  const text: unknown = useWatch({ name })
  const settled = useSettled(typeof text === 'string' ? text : '')
  const address = parseOrigin(settled)
  return (
    <div className="mb-2">
      <TextField
        name={name}
        label={t('origin')}
        help={t('origin.help')}
        placeholder="203.0.113.7"
        mono
        className="mb-1"
      />
      <div role="status" className="min-h-5 text-xs">
        {address && (
          <Probe key={formatOrigin(address)} siteId={siteId} address={address} hostHeader={hostHeader ?? ''} />
        )}
      </div>
    </div>
  )
}

function Probe({ siteId, address, hostHeader }: { siteId: number; address: OriginAddress; hostHeader: string }) {
  const t = usePhrases('domains')
  const format = useFormat()
  const { data, isFetching } = useCall(domains.probe, { siteId, body: { ...address, hostHeader } })
  if (isFetching || !data) {
    return isFetching ? (
      <Status tone="info" going>
        {t('probe.trying')}
      </Status>
    ) : null
  }
  if (data.reachable) {
    const isFine = data.status > 0 && data.status < 500
    return (
      <Status tone={isFine ? 'ok' : 'warn'}>
        {t('probe.ok', { status: String(data.status), took: format.ms(data.took) })}
      </Status>
    )
  }
  const detail = data.detail === 'ok' ? 'protocol' : data.detail
  return <Status tone={detail === 'private' ? 'bad' : 'warn'}>{t(`probe.${detail}`)}</Status>
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
