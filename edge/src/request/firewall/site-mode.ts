/** Challenges the whole site, always or during an attack: visitors who passed no challenge yet, except at some URLs. */
import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import type { EdgeRequest, Guard } from '../lib/guard.ts'
import { challenged } from './rule.ts'

export type SiteMode = {
  blockType: number
  exact: Record<string, boolean>
  folders: string[]
  /** Requests per second above which an attack is assumed, 0 for more than usual; absent if it always challenges. */
  threshold: number | undefined
}

/** Every reading of a path must be an exempt URL: any other URL that an origin may read in it is challenged. */
function isWhite(mode: SiteMode, request: EdgeRequest): boolean {
  if (!isNamed(mode, request.path)) return false
  if (request.otherPaths === undefined) return true
  for (const path of request.otherPaths) if (!isNamed(mode, path)) return false
  return true
}

function isNamed({ exact, folders }: SiteMode, path: string): boolean {
  if (exact[path] === true) return true
  for (const folder of folders) if (path.startsWith(folder)) return true
  return false
}

export const siteMode: Guard<SiteMode, 'firewall'> = {
  name: 'siteMode',
  takes: 'firewall',
  phase: 'headers',
  compile({ siteMode: of }) {
    if (of === undefined || of.blockType === 0) return undefined
    const exact: Record<string, boolean> = {}
    const folders: string[] = []
    for (const path of of.whitePaths) {
      if (path.endsWith('/') && path !== '/') folders.push(path)
      else exact[path] = true
    }
    return { blockType: of.blockType, exact, folders, threshold: of.auto?.threshold }
  },
  check(mode, request, tools) {
    if (mode.threshold !== undefined && !tools.isUnderAttack(request.site)) return undefined
    if (request.path === answerPath || tools.hasPassed(request, mode.blockType) || isWhite(mode, request))
      return undefined
    // A program cannot solve a challenge, and the site itself admitted a client that presents a key. Rate limits still
    // apply.
    if (mode.threshold !== undefined && tools.hasShownKey()) return undefined
    return challenged('siteMode', 0, mode.blockType)
  },
}
