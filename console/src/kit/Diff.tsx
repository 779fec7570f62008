/** Two versions of something, line by line: removed, added, and the unchanged lines around them. */
import { usePhrases } from '../platform/phrases.ts'
import { cn } from './cn.ts'
import { ScrollRegion } from './ScrollRegion.tsx'

type Line = { sign: '+' | '-' | ' '; text: string }

/** Formats any value as indented JSON; a string stays as it is. */
const linesOf = (value: unknown): string[] =>
  value === null || value === undefined
    ? []
    : (typeof value === 'string' ? value : JSON.stringify(value, null, 2)).split('\n')

/** Diffs by the longest common subsequence of lines; long input is compared as a whole. */
export function diffLines(before: unknown, after: unknown): Line[] {
  const a = linesOf(before)
  const b = linesOf(after)
  if (a.length * b.length > 250_000) {
    return [...a.map((text): Line => ({ sign: '-', text })), ...b.map((text): Line => ({ sign: '+', text }))]
  }
  const common = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
    }
  }
  const lines: Line[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i]! })
      i += 1
      j += 1
    } else if (j >= b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) {
      lines.push({ sign: '-', text: a[i]! })
      i += 1
    } else {
      lines.push({ sign: '+', text: b[j]! })
      j += 1
    }
  }
  return lines
}

/** How many unchanged lines are shown around a change. */
const around = 3

/**
 * Changed lines with a few lines around them; a longer unchanged run becomes one entry with its length. Without any
 * change, all lines.
 */
export function folded(lines: readonly Line[]): (Line | { same: number })[] {
  if (lines.every(({ sign }) => sign === ' ')) return [...lines]
  const isNear = (at: number) => lines.slice(Math.max(0, at - around), at + around + 1).some(({ sign }) => sign !== ' ')
  const shown: (Line | { same: number })[] = []
  let run: Line[] = []
  const close = () => {
    // A single line takes no more room than its count.
    if (run.length > 1) shown.push({ same: run.length })
    else shown.push(...run)
    run = []
  }
  for (const [at, line] of lines.entries()) {
    if (!isNear(at)) run.push(line)
    else {
      close()
      shown.push(line)
    }
  }
  close()
  return shown
}

export function Diff({ label, before, after }: { label: string; before: unknown; after: unknown }) {
  const t = usePhrases('kit')
  return (
    <ScrollRegion label={label} className="mono max-h-80 rounded-[8px] border border-line leading-5">
      {folded(diffLines(before, after)).map((line, index) =>
        'same' in line ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
          <div key={index} className="bg-sunken px-2.5 font-sans text-ink-3 text-xs">
            {t('diff.same', { n: line.same })}
          </div>
        ) : (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
            key={index}
            className={cn(
              'w-max min-w-full whitespace-pre px-2.5',
              line.sign === '+' && 'bg-ok-bg text-ok',
              line.sign === '-' && 'bg-bad-bg text-bad',
            )}
          >
            {line.sign} {line.text}
          </div>
        ),
      )}
    </ScrollRegion>
  )
}
