/** The ports on which the nodes of a zone listen, and their protocols. */

import { redirectCodes } from '@breakwater/contract/edge/redirect-codes.ts'
import { zoneConfiguration } from '@breakwater/contract/nodes/zone-configuration.ts'
import { type ZonePort, ZonePortBody, zonePorts } from '@breakwater/contract/nodes/zone-ports.ts'
import {
  forceSSLRedirectCodeSettings,
  http2Settings,
  http3Settings,
  tlsLimitCountSettings,
  trustedProxies,
} from '@breakwater/contract/nodes/zone-settings.ts'
import { BulkByIds } from '../kit/BulkConfirm.tsx'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { RowName } from '../kit/RowName.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { GroupSettings } from '../pickers/settings/GroupSettings.tsx'
import { send } from '../platform/browser.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { ListSearch } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'

const refreshes = [zoneConfiguration.status, zoneConfiguration.history]
const Http2 = fieldsOf(http2Settings.schema)
const Http3 = fieldsOf(http3Settings.schema)
const Redirect = fieldsOf(forceSSLRedirectCodeSettings.schema)
const TlsLimit = fieldsOf(tlsLimitCountSettings.schema)
const Proxies = fieldsOf(trustedProxies.schema)
const networksMax = 100

export function ZonePorts({ zoneId }: { zoneId: number }) {
  const t = usePhrases('configuration')
  return (
    <>
      <PageHead title={t('ports')} help={t('ports.help')} />
      <PortList zoneId={zoneId} />
      <GroupSettings
        group={http2Settings}
        place={{ zoneId }}
        title={t('http2')}
        help={t('http2.help')}
        can="zones.write"
        refreshes={refreshes}
      >
        <Http2.Switch name="enable" label={t('http2.enable')} />
      </GroupSettings>
      <GroupSettings
        group={http3Settings}
        place={{ zoneId }}
        title={t('http3')}
        help={t('http3.help')}
        can="zones.write"
        refreshes={refreshes}
      >
        <Http3.Switch name="enable" label={t('http3.enable')} />
        <NodesWithHttp3 zoneId={zoneId} />
      </GroupSettings>
      <GroupSettings
        group={forceSSLRedirectCodeSettings}
        place={{ zoneId }}
        title={t('redirectCode')}
        help={t('redirectCode.help')}
        can="zones.write"
        refreshes={refreshes}
      >
        <Redirect.Select
          name="forceSSLRedirectCode"
          label={t('redirectCode.code')}
          options={redirectCodes.map((value) => ({ value, label: t(`redirectCode.${value}`) }))}
        />
      </GroupSettings>
      <GroupSettings
        group={tlsLimitCountSettings}
        place={{ zoneId }}
        title={t('tlsLimit')}
        help={t('tlsLimit.help')}
        can="zones.write"
        refreshes={refreshes}
      >
        <TlsLimit.Number name="tlsLimitCount" label={t('tlsLimit.count')} help={t('tlsLimit.countHelp')} />
      </GroupSettings>
      <GroupSettings
        group={trustedProxies}
        place={{ zoneId }}
        title={t('proxies')}
        help={t('proxies.help')}
        can="zones.write"
        refreshes={refreshes}
      >
        <Proxies.Lines
          name="networks"
          label={t('proxies.networks')}
          max={networksMax}
          placeholder="192.0.2.0/24"
          apart
        />
      </GroupSettings>
    </>
  )
}

/** How many nodes of the zone support HTTP/3: the others continue without it. */
function NodesWithHttp3({ zoneId }: { zoneId: number }) {
  const t = usePhrases('configuration')
  const { data } = useCall(zoneConfiguration.status, { zoneId })
  if (!data) return null
  const able = data.nodes.filter(({ canHttp3 }) => canHttp3).length
  return <p className="pb-3 text-ink-2">{t('http3.nodes', { able, n: data.nodes.length })}</p>
}

function PortList({ zoneId }: { zoneId: number }) {
  const t = usePhrases('configuration')
  const format = useFormat()
  const mayWrite = useMay()('zones.write')
  const [state, go] = useListState('zonePorts', ListSearch)
  const { page, pageSize, edit } = state
  const call = useCall(zonePorts.list, { zoneId, query: { page, pageSize } })
  const remove = useChange(zonePorts.remove, zonePorts.list, ...refreshes)
  const opened = call.data?.data.find(({ id }) => id === edit)
  const close = () => go({ edit: undefined })
  const add = mayWrite && (
    <Button look="solid" onClick={() => go({ edit: 'new' })}>
      {t('ports.add')}
    </Button>
  )
  const columns: Column<ZonePort>[] = [
    {
      key: 'port',
      title: t('ports.port'),
      render: ({ id, port }) => <RowName name={String(port)} onOpen={() => go({ edit: id })} />,
    },
    { key: 'tls', title: t('ports.protocol'), render: ({ tls }) => t(tls ? 'ports.https' : 'ports.http') },
    { key: 'sites', title: t('ports.sites'), end: true, render: ({ sites }) => format.number(sites) },
  ]
  return (
    <>
      {add && <div className="mb-3 flex justify-end">{add}</div>}
      <ResourceTable
        label={t('ports.list')}
        list="zonePorts"
        call={call}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ port }) => String(port)}
        state={state}
        go={go}
        onOpen={mayWrite ? ({ id }) => go({ edit: id }) : undefined}
        readPage={(at, size) => send(zonePorts.list, { zoneId, query: { page: at, pageSize: size } })}
        bulk={
          mayWrite
            ? (rows, clear, run) => (
                <BulkByIds
                  label={t('ports.remove')}
                  title={t('ports.removeTitle', { n: rows.length })}
                  consequence={t('ports.removeText', { n: rows.reduce((sum, { sites }) => sum + sites, 0) })}
                  rows={rows}
                  rowName={({ port }) => String(port)}
                  act={(ids) => remove.mutateAsync({ zoneId, body: { ids } })}
                  run={run}
                  clear={clear}
                  done={t('ports.removed')}
                />
              )
            : undefined
        }
        empty={
          <Empty title={t('ports.empty')} action={add}>
            {t('ports.emptyText')}
          </Empty>
        }
      />
      {mayWrite && (edit === 'new' || opened) && <PortDrawer key={edit} zoneId={zoneId} row={opened} onClose={close} />}
    </>
  )
}

const Body = ZonePortBody.omit({ portType: true })
const Field = fieldsOf(Body)

function PortDrawer({ zoneId, row, onClose }: { zoneId: number; row: ZonePort | undefined; onClose: () => void }) {
  const t = usePhrases('configuration')
  const tKit = usePhrases('kit')
  const create = useChange(zonePorts.create, zonePorts.list, ...refreshes)
  const update = useChange(zonePorts.update, zonePorts.list, ...refreshes)
  const form = useResourceForm(Body, {
    values: { port: row?.port ?? 8443, tls: row?.tls ?? true },
    save: (body): Promise<unknown> =>
      row ? update.mutateAsync({ zoneId, body: { ...body, id: row.id } }) : create.mutateAsync({ zoneId, body }),
    done: t('ports.saved'),
    onSaved: onClose,
  })
  return (
    <FormDrawer
      form={form}
      title={row ? t('ports.edit', { port: String(row.port) }) : t('ports.add')}
      onClose={onClose}
    >
      <Field.Number name="port" label={t('ports.port')} help={t('ports.portHelp')} />
      <Field.Switch name="tls" label={t('ports.https')} help={t('ports.tlsHelp')} />
      <p className="text-ink-3 text-xs">{tKit('settings.reloads')}</p>
    </FormDrawer>
  )
}
