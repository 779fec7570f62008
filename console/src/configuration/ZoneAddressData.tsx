/**
 * Which data maps addresses to countries and networks, for all zones: the data in use, the uploads, and the way back.
 */
import { type AddressDataKind, addressDataKinds } from '@breakwater/contract/address-data/csv.ts'
import { type AddressData, addressData } from '@breakwater/contract/nodes/address-data.ts'
import { zoneConfiguration } from '@breakwater/contract/nodes/zone-configuration.ts'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { Loaded } from '../kit/Loaded.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { AddressDataList } from './AddressDataList.tsx'
import { AddressDataUpload } from './AddressDataUpload.tsx'

const refreshes = [addressData.list, zoneConfiguration.status, zoneConfiguration.history]

export function ZoneAddressData() {
  const t = usePhrases('configuration')
  const call = useCall(addressData.list, {})
  return (
    <>
      <PageHead title={t('addressData')} help={t('addressData.help')} />
      {addressDataKinds.map((kind) => (
        <div key={kind} className="mt-6 max-w-[880px]">
          <Loaded title={t(`addressData.${kind}`)} help={t(`addressData.${kind}Help`)} call={call}>
            {({ data }) => <OfKind kind={kind} all={data.filter((one) => one.kind === kind)} />}
          </Loaded>
        </div>
      ))}
    </>
  )
}

function OfKind({ kind, all }: { kind: AddressDataKind; all: AddressData[] }) {
  const mayWrite = useMay()('zones.write')
  const inUse = all.find(({ state }) => state === 'inUse')
  const before = all.find(({ state }) => state === 'before')
  const uploaded = all.filter(({ id }) => id > 0)
  return (
    <div className="grid gap-4">
      {inUse && <InUse {...inUse} />}
      {mayWrite && before && <BackToBefore before={before} />}
      {mayWrite && inUse && <AddressDataUpload kind={kind} credit={inUse.credit} licence={inUse.licence} />}
      {uploaded.length > 0 && <AddressDataList kind={kind} uploaded={uploaded} />}
    </div>
  )
}

function InUse({ id, source, credit, licence, builtAt, createdAt, v4, v6 }: AddressData) {
  const t = usePhrases('configuration')
  const format = useFormat()
  const facts: [label: string, value: string][] = [
    [t('addressData.inUse'), id === 0 ? t('addressData.ofRelease', { source }) : source],
    ...(builtAt ? ([[t('addressData.builtAt'), format.day(builtAt)]] satisfies [string, string][]) : []),
    ...(createdAt ? ([[t('addressData.uploadedAt'), format.moment(createdAt)]] satisfies [string, string][]) : []),
    [t('addressData.ranges'), t('addressData.rangesOf', { v4: format.number(v4), v6: format.number(v6) })],
    [t('addressData.licence'), [credit, licence].filter(Boolean).join(' · ') || t('addressData.noLicence')],
  ]
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 max-sm:grid-cols-1">
      {facts.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-ink-3">{label}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Returns to the data in use before the last change, with one click. */
function BackToBefore({ before: { id, kind, source } }: { before: AddressData }) {
  const t = usePhrases('configuration')
  const use = useChange(addressData.use, ...refreshes)
  const name = id === 0 ? t('addressData.ofRelease', { source }) : source
  return (
    <p>
      <ConfirmButton
        look="line"
        label={t('addressData.back', { name })}
        title={t('addressData.back', { name })}
        consequence={t('addressData.backText')}
        confirmLabel={t('addressData.backConfirm')}
        onConfirm={() => use.mutateAsync({ body: { kind, id } })}
      />
    </p>
  )
}
