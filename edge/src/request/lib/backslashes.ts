/**
 * Backslashes in paths. IIS and other servers treat `\` as `/`, so `/\secret/` would get past a rule for `^/secret/`
 * and still be answered as `/secret/`.
 */
import type { SettingsPart } from '@breakwater/contract/edge/site-parts.ts'
import { resolvedPath } from './canonical.ts'

export type Backslashes = NonNullable<SettingsPart['backslashes']>

export const hasBackslash = (path: string): boolean => path.indexOf('\\') >= 0

/** The path that guards, cache and origin see for one with backslashes. Returns undefined if the request is refused. */
export function resolveBackslashes(path: string, policy: Backslashes): string | undefined {
  if (policy === 'pass') return path
  return policy === 'normalise' ? resolvedPath(path.replaceAll('\\', '/')) : undefined
}
