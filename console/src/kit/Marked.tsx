/**
 * A sentence of ours that contains values written by a person: these are set apart, so that neither is mistaken for the
 * other.
 */

// Saved texts cannot contain control characters, so these can only be the marks added here.
const [start, end] = ['\u0002', '\u0003']

/** Marks a value that is inserted into a sentence. */
export const marked = (value: string): string => `${start}${plain(value)}${end}`

/** Returns the sentence without its marks, for names and titles. */
export const plain = (text: string): string => text.replaceAll(start, '').replaceAll(end, '')

export function Marked({ text }: { text: string }) {
  return text.split(start).map((part, index) => {
    const [value, rest] = index === 0 ? ['', part] : part.split(end)
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a sentence have no other identity
      <span key={index}>
        {index > 0 && <code className="mono rounded-tag bg-mute px-1 py-px [overflow-wrap:anywhere]">{value}</code>}
        {rest}
      </span>
    )
  })
}
