/**
 * Joins class names. Of two that set the same thing the stylesheet's order decides and not theirs, so a block never gives
 * a class that its caller may need to differ in; the tests of the gallery and of the screens find those that do.
 */
export function cn(...classes: (string | false | null | undefined)[]): string {
  return classes.filter(Boolean).join(' ')
}
