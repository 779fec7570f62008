/** A sentence of ours with values in it that a person wrote: those are set apart, so that neither is read as the other. */

// Control characters are refused in every text that is saved, so that they can mark nothing but what was marked here.
const [start, end] = ['\u0002', '\u0003']

/** Marks a value that goes into a sentence. */
export const marked = (value: string): string => `${start}${plain(value)}${end}`

/** The sentence without its marks, for names and titles. */
export const plain = (text: string): string => text.replaceAll(start, '').replaceAll(end, '')

export function Marked({ text }: { text: string }) {
  return text.split(start).map((part, index) => {
    const [value, rest] = index === 0 ? ['', part] : part.split(end)
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a sentence have no other name
      <span key={index}>
        {index > 0 && <code className="mono rounded-tag bg-mute px-1 py-px [overflow-wrap:anywhere]">{value}</code>}
        {rest}
      </span>
    )
  })
}
