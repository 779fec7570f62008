/** Compares Debian package versions like `dpkg --compare-versions` (Debian policy 5.6.12). */

/** Less than 0 if `a` is older than `b`, 0 if they are equal, more than 0 if it is newer. */
export function compareDebianVersions(a: string, b: string): number {
  const [left, right] = [split(a), split(b)]
  return (
    left.epoch - right.epoch ||
    compareParts(left.upstream, right.upstream) ||
    compareParts(left.revision, right.revision)
  )
}

function split(version: string) {
  const [, epoch = '0', rest = ''] = /^(?:(\d+):)?(.*)$/s.exec(version) ?? []
  const dash = rest.lastIndexOf('-')
  return {
    epoch: Number(epoch),
    upstream: dash < 0 ? rest : rest.slice(0, dash),
    revision: dash < 0 ? '' : rest.slice(dash + 1),
  }
}

/** Compares alternating runs of non-digits and digits: non-digits by character, digits by number. */
function compareParts(a: string, b: string): number {
  const [left, right] = [runsOf(a), runsOf(b)]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [one = '', other = ''] = [left[at], right[at]]
    const order = at % 2 === 0 ? compareText(one, other) : Number(one || 0) - Number(other || 0)
    if (order !== 0) return order
  }
  return 0
}

/** Always starts with a run of non-digits, which may be empty. */
function runsOf(text: string): string[] {
  const runs: string[] = text.match(/\d+|\D+/g) ?? []
  return /^\d/.test(text) ? ['', ...runs] : runs
}

function compareText(a: string, b: string): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const order = weight(a[at]) - weight(b[at])
    if (order !== 0) return order
  }
  return 0
}

/** `~` sorts before the end, letters after it, everything else after letters. */
function weight(character: string | undefined): number {
  if (character === undefined) return 0
  if (character === '~') return -1
  return /[A-Za-z]/.test(character) ? character.charCodeAt(0) : character.charCodeAt(0) + 256
}
