/** The operator's announcements: written, ordered, timed, switched off (screen `announcementSetting`). */
import { type Announcement, announcements } from '@breakwater/contract/announcements/announcements.ts'
import { send } from '../app/browser.ts'
import { useCall, useChange } from '../app/calls.ts'
import { type Format, useFormat } from '../app/format.ts'
import { useListState } from '../app/list-state.ts'
import { useLocale } from '../app/locale.ts'
import { type Say, usePhrases } from '../app/phrases.ts'
import { ListSearch } from '../app/search-state.ts'
import { useMay } from '../app/session.ts'
import { BulkConfirm } from '../kit/BulkConfirm.tsx'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { RowName } from '../kit/RowName.tsx'
import { Badge, Status, type Tone } from '../kit/Status.tsx'
import { toneOf } from './levels.ts'

const AnnouncementDrawer = laterFloat('drawer', () =>
  import('./AnnouncementDrawer.tsx').then((file) => file.AnnouncementDrawer),
)

const tones: Record<Announcement['state'], Tone> = { shown: 'ok', waiting: 'info', over: 'mute', off: 'mute' }
/** Readers are counted this far. */
const readersMax = 10_000

function scheduleText({ startTime, endTime }: Announcement, t: Say<'announcements'>, format: Format): string {
  const parts = [
    startTime && t('schedule.from', { from: format.moment(startTime) }),
    endTime && t('schedule.until', { until: format.moment(endTime) }),
  ].filter(Boolean)
  return parts.join(' · ') || t('schedule.always')
}

export function AnnouncementsScreen() {
  const t = usePhrases('announcements')
  const format = useFormat()
  const { locale } = useLocale()
  const mayWrite = useMay()('announcements.write')
  const [state, go] = useListState('announcements', ListSearch)
  const { page, pageSize, edit } = state
  const remove = useChange(announcements.removeMany, announcements.list)
  const call = useCall(announcements.list, { query: { page, pageSize } })
  const opened = call.data?.data.find(({ id }) => id === edit)
  // The language may have been changed since it was asked.
  const textOf = (row: Announcement) => (row.texts[locale].title ? row.texts[locale] : row)
  const add = mayWrite && (
    <Button look="solid" onClick={() => go({ edit: 'new' })}>
      {t('add')}
    </Button>
  )
  const columns: Column<Announcement>[] = [
    {
      key: 'title',
      title: t('heading'),
      render: (row) => (
        <RowName name={textOf(row).title} onOpen={() => go({ edit: row.id })}>
          {textOf(row).content}
        </RowName>
      ),
    },
    {
      key: 'level',
      title: t('level'),
      render: ({ level }) => <Badge tone={toneOf[level]}>{t(`level.${level}`)}</Badge>,
    },
    {
      key: 'state',
      title: t('state'),
      render: (row) => <Status tone={tones[row.state]}>{t(`state.${row.state}`)}</Status>,
    },
    { key: 'schedule', title: t('schedule'), render: (row) => scheduleText(row, t, format) },
    { key: 'ordinal', title: t('ordinal'), end: true, render: ({ ordinal }) => format.number(ordinal) },
    {
      key: 'readCount',
      title: t('readBy'),
      end: true,
      render: ({ readCount }) => `${format.number(readCount)}${readCount >= readersMax ? '+' : ''}`,
    },
  ]
  return (
    <>
      <PageHead title={t('title')} help={t('help')}>
        {add}
      </PageHead>
      <ResourceTable
        label={t('title')}
        list="announcements"
        call={call}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={(row) => textOf(row).title}
        state={state}
        go={go}
        onOpen={({ id }) => go({ edit: id })}
        readPage={(at, size) => send(announcements.list, { query: { page: at, pageSize: size } })}
        bulk={
          mayWrite
            ? (rows, clear, run) => (
                <BulkConfirm
                  label={t('remove')}
                  title={t('remove.title', { n: rows.length })}
                  consequence={t('remove.text')}
                  rows={rows}
                  rowKey={({ id }) => id}
                  rowName={(row) => textOf(row).title}
                  act={(batch) => remove.mutateAsync({ body: { ids: batch.map(({ id }) => id) } })}
                  run={run}
                  clear={clear}
                  done={t('removed')}
                />
              )
            : undefined
        }
        empty={
          <Empty title={t('empty')} action={add}>
            {t('emptyText')}
          </Empty>
        }
      />
      {mayWrite && (edit === 'new' || opened) && (
        <AnnouncementDrawer key={edit} announcement={opened} onClose={() => go({ edit: undefined })} />
      )}
    </>
  )
}
