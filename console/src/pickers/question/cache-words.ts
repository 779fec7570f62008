/** Describes in sentences what the cache does with a request. */
import type { cacheSimulation } from '@breakwater/contract/delivery/cache-simulation.ts'
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { useFormat } from '../../platform/format.ts'
import { usePhrases } from '../../platform/phrases.ts'

type Told = Reply<typeof cacheSimulation.simulate>

export function useCacheWords(told: Told): { headline: string; sentences: string[] } {
  const t = usePhrases('question')
  const format = useFormat()
  const { rule, isUnsaved, around, why, ttl, staleWhileRevalidate, staleIfError, isSliced, browserControl } = told
  const decides = isUnsaved ? t('told.unsaved') : rule > 0 ? t('told.rule', { id: String(rule) }) : t('told.noRule')
  const sentences = [decides]
  if (around !== null) sentences.push(t(`told.around.${around}`))
  if (why !== null) sentences.push(t(`told.why.${why}`))
  if (isSliced) sentences.push(t('told.sliced'))
  if (staleWhileRevalidate > 0)
    sentences.push(t('told.staleWhileRevalidate', { time: format.duration(staleWhileRevalidate) }))
  if (staleIfError > 0) sentences.push(t('told.staleIfError', { time: format.duration(staleIfError) }))
  sentences.push(browserControl === null ? t('told.noBrowser') : t('told.browser', { control: browserControl }))
  const headline =
    around !== null
      ? t('told.direct')
      : !told.isStored
        ? t('told.notStored')
        : ttl > 0
          ? t('told.stored', { time: format.duration(ttl) })
          : t('told.checked')
  return { headline, sentences }
}
