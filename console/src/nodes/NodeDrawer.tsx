/** One node: everything it reports, what it could not apply, renaming and removing it. */

import { Memo, Name } from '@breakwater/contract/fields.ts'
import { nodes, type ZoneNode } from '@breakwater/contract/nodes/nodes.ts'
import { z } from 'zod'
import { useChange } from '../app/calls.ts'
import { useFormat } from '../app/format.ts'
import { usePhrases } from '../app/phrases.ts'
import { usePlaces } from '../app/places.ts'
import { useMay } from '../app/session.ts'
import { Button } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { Drawer } from '../kit/Dialog.tsx'
import { Form } from '../kit/Form.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Link } from '../kit/Link.tsx'
import { Fact, Facts } from '../kit/Panel.tsx'
import { Tags } from '../kit/Status.tsx'
import { toasts } from '../kit/toasts.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { NodeProgress, NodeStatus } from './node-columns.tsx'

type Props = { zoneId: number; node: ZoneNode; onClose: () => void }

export function NodeDrawer({ zoneId, node, onClose }: Props) {
  const t = usePhrases('nodes')
  const format = useFormat()
  const places = usePlaces()
  const mayWrite = useMay()('nodes.write')
  const { health, exceptions } = node
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
        {exceptions.map(({ site, siteName, revision, reason }) => (
          <Fact key={site} name={siteName}>
            <Link to={places.site(site, siteName)} className="text-bad">
              {`#${revision} ${reason}`}
            </Link>
          </Fact>
        ))}
        <Fact name={t('address')}>
          <code className="mono">{node.ip}</code>
        </Fact>
        <Fact name={t('group')}>{node.group}</Fact>
        {health && (
          <>
            <Fact name={t('version')}>{health.version}</Fact>
            <Fact name={t('nginx')}>{health.nginxVersion}</Fact>
            <Fact name={t('uptime')}>{format.duration(health.uptimeSeconds)}</Fact>
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
            <Fact name={t('dropped')}>{format.number(health.droppedRows)}</Fact>
            <Fact name={t('spool')}>{format.bytes(health.spoolBytes)}</Fact>
            <Fact name={t('capabilities')}>
              <Tags values={health.capabilities} />
            </Fact>
          </>
        )}
      </Facts>
      {mayWrite && <NodeForm zoneId={zoneId} node={node} onRemoved={onClose} />}
    </Drawer>
  )
}

const schema = z.object({ name: Name, memo: Memo })
const Field = fieldsOf(schema)

function NodeForm({ zoneId, node, onRemoved }: { zoneId: number; node: ZoneNode; onRemoved: () => void }) {
  const t = usePhrases('nodes')
  const tKit = usePhrases('kit')
  const update = useChange(nodes.updateNode, nodes.zoneNodes)
  const remove = useChange(nodes.removeNode, nodes.zoneNodes, nodes.initialized)
  const form = useResourceForm(schema, {
    values: { name: node.name, memo: node.memo },
    save: (body) => update.mutateAsync({ zoneId, body: { ...body, id: node.id } }),
    done: t('saved'),
  })
  return (
    <Form form={form} className="border-line border-t pt-4">
      <Field.Text name="name" label={t('enrol.name')} />
      <Field.Memo name="memo" label={t('memo')} />
      <div className="flex flex-wrap justify-between gap-2">
        <Button look="solid" type="submit" busy={form.busy}>
          {tKit('save')}
        </Button>
        <ConfirmButton
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
