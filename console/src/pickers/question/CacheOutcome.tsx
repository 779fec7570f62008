/** What the cache would do with a request: the outcome, the reason, and the cache key. */
import type { cacheSimulation } from '@breakwater/contract/delivery/cache-simulation.ts'
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { Status } from '../../kit/Status.tsx'
import { usePhrases } from '../../platform/phrases.ts'
import { useCacheWords } from './cache-words.ts'

type Props = { told: Reply<typeof cacheSimulation.simulate>; className?: string }

export function CacheOutcome({ told, className }: Props) {
  const t = usePhrases('question')
  const { headline, sentences } = useCacheWords(told)
  return (
    <div className={className}>
      <Status tone={told.isStored ? 'ok' : 'info'}>{headline}</Status>
      <ul className="mt-2 space-y-1">
        {sentences.map((sentence) => (
          <li key={sentence} className="break-words text-ink-2">
            {sentence}
          </li>
        ))}
      </ul>
      {told.key !== '' && (
        <p className="mt-2 text-ink-3 text-xs">
          {t('told.key')} <span className="mono break-all">{told.key}</span>
        </p>
      )}
    </div>
  )
}
