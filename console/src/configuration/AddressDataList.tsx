/** Uploaded address data: compare with the data in use, switch to it, remove it. */
import type { AddressDataKind } from '@breakwater/contract/address-data/csv.ts'
import {
  type AddressData,
  type AddressDataComparison,
  addressData,
  probesChangeMax,
} from '@breakwater/contract/nodes/address-data.ts'
import { zoneConfiguration } from '@breakwater/contract/nodes/zone-configuration.ts'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { showFault } from '../kit/faults.tsx'
import { Loaded } from '../kit/Loaded.tsx'
import { Status } from '../kit/Status.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { useCountryName } from '../platform/countries.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'

const refreshes = [addressData.list, zoneConfiguration.status, zoneConfiguration.history]

export function AddressDataList({ kind, uploaded }: { kind: AddressDataKind; uploaded: AddressData[] }) {
  const t = usePhrases('configuration')
  return (
    <ul aria-label={t(`addressData.${kind}Uploaded`)} className="grid gap-3">
      {uploaded.map((one) => (
        <li key={one.id} className="flex flex-wrap items-start justify-between gap-3 border-line border-t pt-3">
          <Facts {...one} />
          <Actions data={one} />
        </li>
      ))}
    </ul>
  )
}

function Facts({ source, fileName, builtAt, createdAt, actor, v4, v6, state }: AddressData) {
  const t = usePhrases('configuration')
  const format = useFormat()
  const made = builtAt && `${t('addressData.builtAt')} ${format.day(builtAt)}`
  const ranges = t('addressData.rangesOf', { v4: format.number(v4), v6: format.number(v6) })
  return (
    <div className="min-w-0">
      <span className="flex flex-wrap items-center gap-3 font-medium">
        {source}
        {state === 'inUse' && <Status tone="ok">{t('addressData.inUse')}</Status>}
      </span>
      <p className="wrap-anywhere text-ink-3 text-xs">{[ranges, made].filter(Boolean).join(' · ')}</p>
      <p className="wrap-anywhere text-ink-3 text-xs">
        <span className="mono">{fileName}</span>
        {` · ${actor}${createdAt ? ` · ${format.moment(createdAt)}` : ''}`}
      </p>
    </div>
  )
}

function Actions({ data }: { data: AddressData }) {
  const t = usePhrases('configuration')
  const mayWrite = useMay()('zones.write')
  const remove = useChange(addressData.remove, addressData.list)
  const [isAsking, setAsking] = useState(false)
  const name = data.source
  if (!mayWrite || data.state === 'inUse') return null
  return (
    <span className="flex flex-wrap gap-2">
      <Button size="sm" aria-label={t('addressData.useOne', { name })} onClick={() => setAsking(true)}>
        {t('addressData.use')}
      </Button>
      <ConfirmButton
        size="sm"
        look="danger"
        label={t('ports.remove')}
        ariaLabel={t('ruleSet.removeOne', { name })}
        title={t('ruleSet.removeOne', { name })}
        consequence={t('addressData.removeText')}
        confirmLabel={t('ports.remove')}
        onConfirm={() => remove.mutateAsync({ body: { ids: [data.id] } })}
      />
      {isAsking && <UseDialog data={data} onClose={() => setAsking(false)} />}
    </span>
  )
}

/** Shows how the data differs from the data in use. Data that differs a lot must be confirmed explicitly. */
function UseDialog({ data: { id, kind, source }, onClose }: { data: AddressData; onClose: () => void }) {
  const t = usePhrases('configuration')
  const call = useCall(addressData.compare, { dataId: id })
  const use = useChange(addressData.use, ...refreshes)
  const [isConfirmed, setConfirmed] = useState(false)
  const boxId = useId()
  const isOdd = call.data?.isOdd === true
  async function confirm() {
    try {
      await use.mutateAsync({ body: { kind, id, isConfirmed } })
      onClose()
    } catch (fault) {
      await showFault(fault)
    }
  }
  return (
    <Dialog
      wide
      title={t('addressData.useOne', { name: source })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('addressData.cancel')}</Button>
          <Button
            look="solid"
            busy={use.isPending}
            disabled={!call.data || (isOdd && !isConfirmed)}
            onClick={() => void confirm()}
          >
            {t('addressData.useConfirm')}
          </Button>
        </>
      }
    >
      <Loaded title={t('addressData.comparison')} help={t('addressData.comparisonHelp')} call={call}>
        {(comparison) => (
          <Comparison kind={kind} {...comparison}>
            {isOdd && (
              <label htmlFor={boxId} className="flex items-start gap-2 text-bad">
                <input
                  id={boxId}
                  type="checkbox"
                  className="mt-1"
                  checked={isConfirmed}
                  onChange={(event) => setConfirmed(event.target.checked)}
                />
                {t('addressData.odd', { most: probesChangeMax })}
              </label>
            )}
          </Comparison>
        )}
      </Loaded>
    </Dialog>
  )
}

/** The confirmation stands before the list, which may be long. */
function Comparison({
  kind,
  ranges,
  rangesInUse,
  asked,
  changed,
  children,
}: AddressDataComparison & { kind: AddressDataKind; children: ReactNode }) {
  const t = usePhrases('configuration')
  const format = useFormat()
  const nameOf = useCountryName()
  const say = (value: string) =>
    value === '' ? t('addressData.unknown') : kind === 'countries' ? `${nameOf(value)} (${value})` : value
  const families = [
    ['IPv4', ranges.v4, rangesInUse.v4],
    ['IPv6', ranges.v6, rangesInUse.v6],
  ] as const
  return (
    <div className="grid gap-3">
      <ul>
        {families.map(([family, now, before]) => (
          <li key={family}>
            {t('addressData.rangesChange', { family, now: format.number(now), before: format.number(before) })}
          </li>
        ))}
        <li>{t('addressData.probesChange', { changed: changed.length, asked })}</li>
      </ul>
      {children}
      {changed.length > 0 && (
        <details>
          <summary className="cursor-pointer text-xs">{t('addressData.changed')}</summary>
          <ul className="mt-1 text-xs">
            {changed.map(({ address, before, after }) => (
              <li key={address}>
                <span className="mono">{address}</span>
                {`: ${say(before)} → ${say(after)}`}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
