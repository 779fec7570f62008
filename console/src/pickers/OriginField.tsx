/** An origin, probed while it is typed: the result appears below the field before anything is saved. */
import { domains } from '@breakwater/contract/domains/domains.ts'
import { useEffect, useState } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import { TextField } from '../kit/fields/TextField.tsx'
import { Status } from '../kit/Status.tsx'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { formatOrigin, type OriginAddress, parseOrigin } from './origin-address.ts'

const pauseMs = 500

/** The form holds the origin as text. The schema of the form turns it into an address. */
type Props = { name: string /** Without it, nothing is probed yet. */; siteId?: number; hostHeader?: string }

export function OriginField({ name, siteId, hostHeader }: Props) {
  const t = usePhrases('domains')
  const text: unknown = useWatch({ name })
  const settled = useSettled(typeof text === 'string' ? text : '')
  const address = parseOrigin(settled)
  const isRefused = useFormState({ name }).errors[name] !== undefined
  return (
    <div className="mb-2">
      <TextField name={name} label={t('origin')} help={t('origin.help')} placeholder="203.0.113.7" mono />
      <div role="status" className="-mt-3 min-h-5 text-xs">
        {/* A rejected origin is not reported as reachable. */}
        {address && !isRefused && (siteId !== undefined || hostHeader) && (
          <Probe key={formatOrigin(address)} siteId={siteId} address={address} hostHeader={hostHeader ?? ''} />
        )}
      </div>
    </div>
  )
}

type ProbeProps = { siteId: number | undefined; address: OriginAddress; hostHeader: string }

function Probe({ siteId, address, hostHeader }: ProbeProps) {
  const t = usePhrases('domains')
  const format = useFormat()
  const hasSite = siteId !== undefined
  const ofSite = useCall(domains.probe, { siteId: siteId ?? 0, body: { ...address, hostHeader } }, { enabled: hasSite })
  const ofDomain = useCall(domains.findOrigin, { body: { domain: hostHeader, origin: address } }, { enabled: !hasSite })
  const data = hasSite ? ofSite.data : ofDomain.data?.origin?.probe
  const { isFetching } = hasSite ? ofSite : ofDomain
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

/** Returns the text once typing has paused. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
