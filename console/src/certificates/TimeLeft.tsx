/** How long a certificate is still valid, in days, with a warning before it expires. */
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
  // A certificate that renews itself needs no warning before its last week.
  const isSoon = days < (isAutomatic ? 7 : soonDays)
  return <Status tone={isSoon ? 'warn' : 'ok'}>{t('left.days', { n: days })}</Status>
}
