/** How long a certificate lasts yet: days in words, warned of in time. */
import { Status } from '../kit/Status.tsx'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'

const dayMs = 86_400_000
const soonDays = 30

export function TimeLeft({ expired, isAutomatic = false }: { expired: string; isAutomatic?: boolean }) {
  const t = usePhrases('certificates')
  const format = useFormat()
  const days = Math.floor((Date.parse(expired) - Date.now()) / dayMs)
  if (days < 0) return <Status tone="bad">{t('left.ended', { day: format.day(expired) })}</Status>
  // One that renews itself is no cause for worry before its last week.
  const isSoon = days < (isAutomatic ? 7 : soonDays)
  return <Status tone={isSoon ? 'warn' : 'ok'}>{t('left.days', { n: days })}</Status>
}
