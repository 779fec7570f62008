/** The first unread announcement, as one line above the page. */
import type { AnnouncementLevel } from '@breakwater/contract/announcements/announcements.ts'
import { CircleAlert, Info, type LucideIcon, Megaphone, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../kit/Button.tsx'
import { cn } from '../kit/cn.ts'
import { laterFloat } from '../kit/later-float.tsx'
import { usePhrases } from '../platform/phrases.ts'
import { useAnnouncements } from './use-announcements.ts'

const AnnouncementList = laterFloat('drawer', () =>
  import('./AnnouncementList.tsx').then((file) => file.AnnouncementList),
)

const looks: Record<AnnouncementLevel, { icon: LucideIcon; className: string }> = {
  info: { icon: Info, className: 'bg-info-bg text-info' },
  warn: { icon: TriangleAlert, className: 'bg-warn-bg text-warn' },
  critical: { icon: CircleAlert, className: 'bg-bad-bg text-bad' },
}

export function AnnouncementStrip() {
  const t = usePhrases('announcements')
  const { rows, unread, busy, dismiss } = useAnnouncements()
  const [isOpen, setOpen] = useState(false)
  const first = rows.find(({ running }) => running)
  return (
    <>
      {first && (
        <section
          aria-label={t('strip')}
          className={cn(
            'flex min-h-9 items-center gap-2.5 border-line border-b px-5 py-1 max-lg:px-3',
            looks[first.level].className,
          )}
        >
          <Glyph level={first.level} />
          <button
            type="button"
            onClick={() => setOpen(true)}
            className="flex min-h-7 min-w-0 flex-1 items-center gap-2 text-left text-ink pointer-coarse:min-h-11"
          >
            <span className="truncate font-medium">{first.title.replaceAll('\n', ' ')}</span>
            <span className="truncate text-ink-2 max-sm:hidden">{first.content.replaceAll('\n', ' ')}</span>
            {unread > 1 && (
              <span className="num shrink-0 text-ink-2 text-xs">{t('strip.more', { n: unread - 1 })}</span>
            )}
          </button>
          {dismiss && (
            <Button size="sm" look="ghost" busy={busy} onClick={() => dismiss([first.id])}>
              {t('dismiss')}
            </Button>
          )}
        </section>
      )}
      {isOpen && <AnnouncementList onClose={() => setOpen(false)} />}
    </>
  )
}

function Glyph({ level }: { level: AnnouncementLevel }) {
  const Icon = looks[level].icon
  return <Icon size={16} strokeWidth={1.8} aria-hidden className="shrink-0" />
}

/** The button in the top bar that opens all announcements; hidden while there are none. */
export function AnnouncementButton() {
  const t = usePhrases('announcements')
  const { rows, unread } = useAnnouncements()
  const [isOpen, setOpen] = useState(false)
  if (rows.length === 0) return null
  return (
    <>
      <span className="relative">
        <IconButton label={unread > 0 ? t('open.unread', { n: unread }) : t('open')} onClick={() => setOpen(true)}>
          <Megaphone size={16} strokeWidth={1.6} aria-hidden />
        </IconButton>
        {unread > 0 && (
          <span aria-hidden className="pointer-events-none absolute top-1 right-1 size-2 rounded-full bg-accent" />
        )}
      </span>
      {isOpen && <AnnouncementList onClose={() => setOpen(false)} />}
    </>
  )
}
