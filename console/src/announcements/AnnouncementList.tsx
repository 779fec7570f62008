/** All current announcements, read or not. */

import { Button } from '../kit/Button.tsx'
import { Drawer } from '../kit/Dialog.tsx'
import { Empty } from '../kit/Empty.tsx'
import { Badge } from '../kit/Status.tsx'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toneOf } from './levels.ts'
import { useAnnouncements } from './use-announcements.ts'

export function AnnouncementList({ onClose }: { onClose: () => void }) {
  const t = usePhrases('announcements')
  const format = useFormat()
  const { rows, busy, dismiss } = useAnnouncements()
  const unread = rows.filter(({ read }) => !read).map(({ id }) => id)
  return (
    <Drawer
      title={t('title')}
      onClose={onClose}
      footer={
        dismiss &&
        unread.length > 0 && (
          <Button busy={busy} onClick={() => dismiss(unread)}>
            {t('dismissAll')}
          </Button>
        )
      }
    >
      {rows.length === 0 && <Empty title={t('none')} />}
      {rows.map(({ id, title, content, level, read, createdAt }) => (
        <article key={id} className="border-line border-b py-3.5 first:pt-0 last:border-b-0">
          <div className="mb-1 flex flex-wrap items-center gap-2">
            <Badge tone={toneOf[level]}>{t(`level.${level}`)}</Badge>
            {!read && <span className="font-medium text-accent text-xs">{t('unread')}</span>}
            <time className="num text-ink-3 text-xs" dateTime={createdAt}>
              {format.moment(createdAt)}
            </time>
            {dismiss && !read && (
              <span className="ml-auto">
                <Button size="sm" busy={busy} aria-label={`${t('dismiss')}: ${title}`} onClick={() => dismiss([id])}>
                  {t('dismiss')}
                </Button>
              </span>
            )}
          </div>
          <h2 className="break-words font-semibold">{title}</h2>
          {content && <p className="mt-1 whitespace-pre-line break-words text-ink-2">{content}</p>}
        </article>
      ))}
    </Drawer>
  )
}
