/** URLs that the nodes of a zone were told to preheat, and how far each is. */
import { Preheat, type PreheatedUrl, preheatUrlsMax, zonePreheat } from '@breakwater/contract/delivery/preheat.ts'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { Status, type Tone } from '../kit/Status.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { send } from '../platform/browser.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { ListSearch } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'

const tones: Record<PreheatedUrl['status'], Tone> = { running: 'info', done: 'ok', failed: 'bad' }
/** Often while nodes are preheating; otherwise only often enough to notice what other people order. */
const everyMs = (answer: { data: PreheatedUrl[] } | undefined) =>
  answer?.data.some(({ status }) => status === 'running') ? 2_000 : 20_000

export function ZonePreheat({ zoneId }: { zoneId: number }) {
  const t = usePhrases('configuration')
  const format = useFormat()
  const mayWrite = useMay()('zones.write')
  const [state, go] = useListState('zonePreheat', ListSearch)
  const { page, pageSize, edit } = state
  const call = useCall(zonePreheat.list, { zoneId, query: { page, pageSize } }, { everyMs })
  const add = mayWrite && (
    <Button look="solid" onClick={() => go({ edit: 'new' })}>
      {t('preheat.add')}
    </Button>
  )
  const columns: Column<PreheatedUrl>[] = [
    { key: 'url', title: t('preheat.url'), render: ({ url }) => <span className="mono break-all">{url}</span> },
    {
      key: 'status',
      title: t('preheat.status'),
      render: ({ status, done, nodes, failed }) => (
        <>
          <Status tone={tones[status]} going={status === 'running'}>
            {t(`preheat.status.${status}`, { done, nodes })}
          </Status>
          {failed.map(({ node, detail }) => (
            <p key={node} className="text-bad text-xs">
              {t('preheat.failure', { node, detail })}
            </p>
          ))}
        </>
      ),
    },
    { key: 'createdAt', title: t('history.when'), render: ({ createdAt }) => format.moment(createdAt) },
  ]
  return (
    <>
      <PageHead title={t('preheat')} help={t('preheat.help')}>
        {add}
      </PageHead>
      <ResourceTable
        label={t('preheat')}
        list="zonePreheat"
        call={call}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ url }) => url}
        state={state}
        go={go}
        readPage={(at, size) => send(zonePreheat.list, { zoneId, query: { page: at, pageSize: size } })}
        empty={
          <Empty title={t('preheat.empty')} action={add}>
            {t('preheat.emptyText')}
          </Empty>
        }
      />
      {mayWrite && edit === 'new' && <PreheatDrawer zoneId={zoneId} onClose={() => go({ edit: undefined })} />}
    </>
  )
}

const Field = fieldsOf(Preheat)

function PreheatDrawer({ zoneId, onClose }: { zoneId: number; onClose: () => void }) {
  const t = usePhrases('configuration')
  const create = useChange(zonePreheat.create, zonePreheat.list)
  const form = useResourceForm(Preheat, {
    values: { urls: [] },
    save: (body): Promise<unknown> => create.mutateAsync({ zoneId, body }),
    done: t('preheat.ordered'),
    onSaved: onClose,
  })
  return (
    <FormDrawer form={form} title={t('preheat.add')} onClose={onClose} saveLabel={t('preheat')}>
      <Field.Lines name="urls" label={t('preheat.urls')} help={t('preheat.urlsHelp')} max={preheatUrlsMax} />
    </FormDrawer>
  )
}
