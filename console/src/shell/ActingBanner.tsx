/**
 * Says on every page that the user acts for another account: who for whom, how much time is left, and a button to stop.
 */
import type { SelfInfo } from '@breakwater/contract/account/self.ts'
import { useEffect, useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { showFault } from '../kit/faults.tsx'
import { stopActing } from '../platform/acting.ts'
import { usePhrases } from '../platform/phrases.ts'

const minuteMs = 60_000

export function ActingBanner({ self, by }: { self: SelfInfo; by: NonNullable<SelfInfo['proxiedBy']> }) {
  const t = usePhrases('shell')
  const [busy, setBusy] = useState(false)
  const left = useMinutesLeft(by.until)
  async function stop() {
    setBusy(true)
    await stopActing(self.auth).catch(showFault)
    setBusy(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it ends when the time is over, not when a word changes
  useEffect(() => {
    if (left <= 0) void stop()
  }, [left <= 0])
  return (
    <section
      aria-label={t('acting.label')}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-warn-bg px-5 py-1.5 max-lg:px-3"
    >
      <p className="min-w-0 flex-1 basis-60">
        <b>{t('acting.who', { by: by.account, account: self.account })}</b>{' '}
        <span className="text-ink-2">
          {t('acting.left', { n: Math.max(0, left) })} · {by.reason}
        </span>
      </p>
      <Button size="sm" busy={busy} onClick={stop}>
        {t('acting.stop')}
      </Button>
    </section>
  )
}

/** Returns the whole minutes until a time, counted down. */
function useMinutesLeft(until: string): number {
  const minutes = () => Math.ceil((Date.parse(until) - Date.now()) / minuteMs)
  const [left, setLeft] = useState(minutes)
  useEffect(() => {
    const timer = setInterval(() => setLeft(minutes()), 5_000)
    return () => clearInterval(timer)
  })
  return left
}
