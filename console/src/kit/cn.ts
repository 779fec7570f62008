/**
 * Joins class names. If two of them set the same property, the stylesheet's order decides, not theirs. So a block never
 * sets a class that its caller may need to override; the tests of the gallery and of the screens find conflicts.
 */
export function cn(...classes: (string | false | null | undefined)[]): string {
  return classes.filter(Boolean).join(' ')
}
