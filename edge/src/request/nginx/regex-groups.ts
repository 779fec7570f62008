/**
 * The groups that an expression captures in a path. It is compiled each time: only redirected requests pay for that.
 */
export function groupsOf(this: void, source: string, path: string): (string | undefined)[] {
  const [found] = ngx.re.match(path, source)
  const groups: (string | undefined)[] = []
  for (let n = 1; n <= 9; n++) groups[n - 1] = found === undefined ? undefined : found[n] || undefined
  return groups
}
