/** One node: everything it reports, what it failed to apply; rename and remove it. */

import { configurationSite } from '@breakwater/contract/edge/node-configuration.ts'
import { Memo, Name } from '@breakwater/contract/fields.ts'
import { nodeStatuses, nodes, PublicAddresses, type ZoneNode } from '@breakwater/contract/nodes/nodes.ts'
import { nodeStorage } from '@breakwater/contract/nodes/zone-settings.ts'
import { pageSizeMax } from '@breakwater/contract/paging.ts'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { Drawer } from '../kit/Dialog.tsx'
import { Form } from '../kit/Form.tsx'
import { showFault } from '../kit/faults.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Link } from '../kit/Link.tsx'
import { Fact, Facts } from '../kit/Panel.tsx'
import { Tags } from '../kit/Status.tsx'
import { useMergedForm } from '../pickers/conflicts/useMergedForm.ts'
import { GroupSettings } from '../pickers/settings/GroupSettings.tsx'
import { send } from '../platform/browser.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'
import { NodeProgress, NodeStatus } from './node-columns.tsx'

type Props = { zoneId: number; node: ZoneNode; onClose: () => void }

export function NodeDrawer({ zoneId, node, onClose }: Props) {
  const t = usePhrases('nodes')
  const format = useFormat()
  const places = usePlaces()
  const mayWrite = useMay()('nodes.write')
  const { health, exceptions, updatesDue } = node
  return (
    <Drawer title={node.name} onClose={onClose}>
      <Facts className="mb-6">
        <Fact name={t('status')}>
          <NodeStatus node={node} t={t} />
        </Fact>
        <Fact name={t('lastSeen')}>{node.lastSeen ? format.ago(node.lastSeen) : t('never')}</Fact>
        <Fact name={t('config')}>
          <NodeProgress node={node} t={t} />
        </Fact>
        {node.problem !== '' && (
          <Fact name={t('problem')}>
            <span className="text-bad">{node.problem}</span>
          </Fact>
        )}
        {updatesDue.map(({ package: name, installed, minimum }) => (
          <Fact key={name} name={t('updateDue')}>
            <span className="text-bad">{t('updateDue.text', { name, installed, minimum })}</span>
          </Fact>
        ))}
        {exceptions.map(({ site, siteName, revision, reason }) => (
          <Fact key={site} name={site === configurationSite ? t('configuration') : siteName}>
            <Link
              to={site === configurationSite ? places.zone(zoneId, String(zoneId)) : places.site(site, siteName)}
              className="text-bad"
            >
              {`#${revision} ${reason}`}
            </Link>
          </Fact>
        ))}
        <Fact name={t('address')}>
          <code className="mono">{node.ip}</code>
        </Fact>
        <Fact name={t('publicAddresses')}>
          <span className="mono">
            {node.publicAddresses.private
              ? t('publicAddresses.private', { addresses: node.publicAddresses.used.join(', ') })
              : node.publicAddresses.used.join(', ')}
          </span>
        </Fact>
        <Fact name={t('group')}>{node.group}</Fact>
        {health && (
          <>
            <Fact name={t('version')}>{health.version}</Fact>
            <Fact name={t('nginx')}>{health.nginxVersion}</Fact>
            {health.opensslVersion && <Fact name={t('openssl')}>{health.opensslVersion}</Fact>}
            <Fact name={t('uptime')}>{format.duration(health.uptimeSeconds)}</Fact>
            <Load zoneId={zoneId} id={node.id} />
            <Fact name={t('load')}>
              {health.load1.toFixed(2)} / {health.cpuCount} {t('cpu')}
            </Fact>
            <Fact name={t('memory')}>
              {format.bytes(health.memoryUsedBytes)} / {format.bytes(health.memoryBytes)}
            </Fact>
            <Fact name={t('disk')}>
              {format.bytes(health.diskUsedBytes)} / {format.bytes(health.diskBytes)}
            </Fact>
            <Fact name={t('network')}>
              {t('networkInOut', {
                in: format.bytesPerSecond(health.networkInBytesPerSecond),
                out: format.bytesPerSecond(health.networkOutBytesPerSecond),
              })}
            </Fact>
            <Fact name={t('connections')}>{format.number(health.connections)}</Fact>
            {health.kernelBans && (
              <Fact name={t('kernelBans')}>
                {t('kernelBans.value', {
                  addresses: format.number(health.kernelBans.addresses),
                  networks: format.number(health.kernelBans.networks),
                  packets: format.number(health.kernelBans.packets),
                })}
              </Fact>
            )}
            <Fact name={t('dropped')}>{format.number(health.droppedRows)}</Fact>
            <Fact name={t('spool')}>{format.bytes(health.spoolBytes)}</Fact>
            <Fact name={t('capabilities')}>
              <Tags values={health.capabilities} />
            </Fact>
          </>
        )}
      </Facts>
      {mayWrite && <NodeForm zoneId={zoneId} node={node} onRemoved={onClose} />}
      <GroupSettings
        group={nodeStorage}
        place={{ nodeId: node.id }}
        title={t('storage')}
        help={t('storage.help')}
        can="nodes.write"
      >
        <Storage.Number name="cacheBytes" label={t('storage.cache')} unit={t('storage.bytes')} />
        <Storage.Number name="spoolBytes" label={t('storage.spool')} unit={t('storage.bytes')} />
      </GroupSettings>
    </Drawer>
  )
}

const loadEveryMs = 2_000

/** Fast-changing metrics, fetched every two seconds while visible. */
function Load({ zoneId, id }: { zoneId: number; id: number }) {
  const t = usePhrases('nodes')
  const format = useFormat()
  const { data } = useCall(nodes.system, { zoneId, id }, { everyMs: loadEveryMs })
  if (!data) return null
  return (
    <Fact name={t('now')}>
      <span className="num">
        {t('now.text', {
          cpu: format.percent(data.cpu),
          memory: format.percent(data.memory),
          disk: format.percent(data.disk),
        })}
      </span>
    </Fact>
  )
}

/** A serving node must be disabled before it can be removed. */
function NodeSwitch({ node }: { node: ZoneNode }) {
  const t = usePhrases('nodes')
  const change = useChange(nodes.setNodeStatus, nodes.zoneNodes, nodes.initialized)
  const isOff = node.status === nodeStatuses.disabled
  return (
    <span className="flex items-center gap-2">
      <Button
        busy={change.isPending}
        onClick={() =>
          change.mutate(
            { body: { ids: [node.id], status: isOff ? 1 : 0 } },
            { onError: showFault, onSuccess: () => toasts.done(t('saved')) },
          )
        }
      >
        {t(isOff ? 'enable' : 'disable')}
      </Button>
      {!isOff && node.group !== '' && <span className="text-ink-3 text-xs">{t('disable.first')}</span>}
    </span>
  )
}

const schema = z.object({ name: Name, memo: Memo, publicAddresses: PublicAddresses })
const Storage = fieldsOf(nodeStorage.schema)
type Named = z.output<typeof schema>
const addressesMax = 8
const Field = fieldsOf(schema)

function NodeForm({ zoneId, node, onRemoved }: { zoneId: number; node: ZoneNode; onRemoved: () => void }) {
  const t = usePhrases('nodes')
  const tKit = usePhrases('kit')
  const update = useChange(nodes.updateNode, nodes.zoneNodes)
  const remove = useChange(nodes.removeNode, nodes.zoneNodes, nodes.initialized)
  const namedOf = ({ name, memo, publicAddresses }: ZoneNode): Named => ({
    ...{ name, memo },
    publicAddresses: publicAddresses.set,
  })
  const { form, dialog } = useMergedForm<Named>(schema, {
    stored: namedOf(node),
    fieldsOf: (named) => named,
    write: (fields, basedOn) =>
      update.mutateAsync({ zoneId, body: { ...(fields as Named), id: node.id, ...(basedOn && { basedOn }) } }),
    readNow: async () => {
      const { data } = await send(nodes.zoneNodes, { zoneId, query: { page: 1, pageSize: pageSizeMax } })
      const now = data.find(({ id }) => id === node.id)
      return now && namedOf(now)
    },
    done: t('saved'),
    stays: (fields) => fields as Named,
  })
  return (
    <Form form={form} className="border-line border-t pt-4">
      <Field.Text name="name" label={t('enrol.name')} />
      <Field.Lines
        name="publicAddresses"
        label={t('publicAddresses')}
        help={t('publicAddresses.help')}
        max={addressesMax}
        placeholder={node.publicAddresses.used[0] ?? ''}
        apart
      />
      <Field.Memo name="memo" label={t('memo')} />
      {dialog}
      <div className="flex flex-wrap justify-between gap-2">
        <Button look="solid" type="submit" busy={form.busy}>
          {tKit('save')}
        </Button>
        <NodeSwitch node={node} />
        <ConfirmButton
          disabled={node.group !== '' && node.status !== nodeStatuses.disabled}
          label={t('remove')}
          title={t('remove.title', { name: node.name })}
          consequence={t('remove.text')}
          confirmLabel={t('remove')}
          typed={node.name}
          onConfirm={async () => {
            await remove.mutateAsync({ zoneId, body: { id: node.id } })
            toasts.done(t('removed'))
            onRemoved()
          }}
        />
      </div>
    </Form>
  )
}
