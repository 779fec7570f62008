/** All keyboard shortcuts, by where they work. */
import type { ReactNode } from 'react'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { useTitle } from '../platform/manifest.ts'
import { usePhrases } from '../platform/phrases.ts'
import type { GoTo } from './shortcuts.ts'

export function ShortcutHelp({ pages, onClose }: { pages: GoTo[]; onClose: () => void }) {
  const t = usePhrases('shell')
  const title = useTitle()
  const tKit = usePhrases('kit')
  return (
    <Dialog wide title={t('keys.title')} onClose={onClose} footer={<Button onClick={onClose}>{tKit('close')}</Button>}>
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <Group title={t('keys.go')}>
          {pages.map(({ letter, page }) => (
            <Row key={page.to} keys={['g', letter]}>
              {title(page.title)}
            </Row>
          ))}
        </Group>
        <div className="space-y-4">
          <Group title={t('keys.everywhere')}>
            <Row keys={['Ctrl', 'K']}>{t('palette.open')}</Row>
            <Row keys={['[', ']']}>{t('keys.part')}</Row>
            <Row keys={['/']}>{t('keys.search')}</Row>
            <Row keys={['?']}>{t('keys.title')}</Row>
            <Row keys={['Esc']}>{t('keys.close')}</Row>
          </Group>
          <Group title={t('keys.lists')}>
            <Row keys={['j', 'k']}>{t('keys.move')}</Row>
            <Row keys={['x']}>{t('keys.choose')}</Row>
            <Row keys={['Enter']}>{t('keys.open')}</Row>
            <Row keys={['→']}>{t('keys.filter')}</Row>
          </Group>
          <Group title={t('keys.forms')}>
            <Row keys={['Ctrl', 'S']}>{tKit('save')}</Row>
          </Group>
          <Group title={t('keys.charts')}>
            <Row keys={['←', '→']}>{t('keys.cursor')}</Row>
            <Row keys={['Shift', '→']}>{t('keys.range')}</Row>
            <Row keys={['Enter']}>{t('keys.zoom')}</Row>
            <Row keys={['z']}>{t('keys.zoomOut')}</Row>
          </Group>
        </div>
      </div>
    </Dialog>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-ink-3 text-xs">{title}</h3>
      <dl>{children}</dl>
    </section>
  )
}

function Row({ keys, children }: { keys: readonly string[]; children: ReactNode }) {
  return (
    <div className="flex min-h-7 items-center justify-between gap-4">
      <dt className="min-w-0 truncate">{children}</dt>
      <dd className="flex shrink-0 gap-1">
        {keys.map((key) => (
          <kbd
            key={key}
            className="min-w-5 rounded-[4px] border border-line px-[5px] text-center font-medium font-sans text-[11px] text-ink-2 leading-[18px]"
          >
            {key}
          </kbd>
        ))}
      </dd>
    </div>
  )
}
