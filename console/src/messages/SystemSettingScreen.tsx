/**
 * The operator's system settings: how the installation contacts people (screen `systemSetting`, its first sections).
 */

import { PageHead } from '../kit/PageHead.tsx'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { MailPanel } from './MailPanel.tsx'
import { QueuedEmailsPanel } from './QueuedEmailsPanel.tsx'
import { TelegramPanel } from './TelegramPanel.tsx'

export function SystemSettingScreen() {
  const t = usePhrases('messages')
  const mayWrite = useMay()('settings.write')
  return (
    <div className="max-w-[880px]">
      <PageHead title={t('title')} help={t('help')} />
      <div className="grid gap-3">
        <MailPanel mayWrite={mayWrite} />
        <TelegramPanel mayWrite={mayWrite} />
        <QueuedEmailsPanel mayWrite={mayWrite} />
      </div>
    </div>
  )
}
