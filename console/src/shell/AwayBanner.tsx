/**
 * Shown while the server is unreachable: since when, that the data on the page is from then, and a retry every few
 * seconds.
 */
import { shownBrand } from '@breakwater/contract/brand/shown-brand.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { send } from '../platform/browser.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'

const lookEveryMs = 3_000

export function AwayBanner({ since }: { since: number }) {
  const t = usePhrases('shell')
  const format = useFormat()
  const client = useQueryClient()
  useEffect(() => {
    let isOver = false
    const timer = setInterval(async () => {
      const isBack = await send(shownBrand.get, {}).then(
        () => true,
        () => false,
      )
      if (!isBack || isOver) return
      isOver = true
      // All data on the page may have changed meanwhile.
      await client.invalidateQueries()
    }, lookEveryMs)
    return () => clearInterval(timer)
  }, [client])
  return (
    <section role="alert" className="border-line border-b bg-warn-bg px-5 py-1.5 max-lg:px-3">
      <b>{t('away.title')}</b>{' '}
      <span className="text-ink-2">{t('away.text', { time: format.clockSeconds(since) })}</span>
    </section>
  )
}
