/** The operator's announcements: write, order, schedule and switch them off (screen `announcementSetting`). */
import { type Announcement, announcements } from '@breakwater/contract/announcements/announcements.ts'
import { BulkByIds } from '../kit/BulkConfirm.tsx'
import { ListScreen } from '../kit/ListScreen.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import type { Column } from '../kit/ResourceTable.tsx'
import { RowName } from '../kit/RowName.tsx'
import { Badge, Status, type Tone } from '../kit/Status.tsx'
import { send } from '../platform/browser.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { type Format, useFormat } from '../platform/format.ts'
import { useListState } from '../platform/list-state.ts'
import { useLocale } from '../platform/locale.ts'
import { type Say, usePhrases } from '../platform/phrases.ts'
import { ListSearch } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'
import { toneOf } from './levels.ts'

const AnnouncementDrawer = laterFloat('drawer', () =>
  import('./AnnouncementDrawer.tsx').then((file) => file.AnnouncementDrawer),
)

const tones: Record<Announcement['state'], Tone> = { shown: 'ok', waiting: 'info', over: 'mute', off: 'mute' }
/** Readers are counted up to this number. */
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
  const { page, pageSize } = state
  const remove = useChange(announcements.removeMany, announcements.list)
  const call = useCall(announcements.list, { query: { page, pageSize } })
  // The language may have changed since the request.
  const textOf = (row: Announcement) => (row.texts[locale].title ? row.texts[locale] : row)
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
    <ListScreen
      list="announcements"
      title={t('title')}
      help={t('help')}
      add={mayWrite ? t('add') : undefined}
      call={call}
      columns={columns}
      rowLabel={(row) => textOf(row).title}
      state={state}
      go={go}
      readPage={(at, size) => send(announcements.list, { query: { page: at, pageSize: size } })}
      bulk={
        mayWrite
          ? (rows, clear, run) => (
              <BulkByIds
                label={t('remove')}
                title={t('remove.title', { n: rows.length })}
                consequence={t('remove.text')}
                rows={rows}
                rowName={(row) => textOf(row).title}
                act={(ids) => remove.mutateAsync({ body: { ids } })}
                run={run}
                clear={clear}
                done={t('removed')}
              />
            )
          : undefined
      }
      empty={t('empty')}
      emptyText={t('emptyText')}
      drawer={(opened, close) =>
        mayWrite && <AnnouncementDrawer key={state.edit} announcement={opened} onClose={close} />
      }
    />
  )
}
