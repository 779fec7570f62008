/** The whole site is challenged, always or during an attack: every visitor who has passed nothing yet, but at some URLs. */
import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import type { EdgeRequest, Guard } from '../lib/guard.ts'
import { challenged } from './rule.ts'

export type SiteMode = {
  blockType: number
  exact: Record<string, boolean>
  folders: string[]
  /** Requests a second above which an attack is taken to begin, 0 for more than is usual; absent where it always challenges. */
  threshold: number | undefined
}

/** Every reading of a path must be one of those URLs: what an origin may take it for is challenged too. */
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
    // A program cannot solve a challenge, and who shows a key has been let in by the site itself. Its rates hold for it.
    if (mode.threshold !== undefined && tools.hasShownKey()) return undefined
    return challenged('siteMode', 0, mode.blockType)
  },
}
