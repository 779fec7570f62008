/** The API shield of a site: its settings, and the rendering of its document for nodes. */
import { apiShield, apiShieldDocument, type ShieldReading } from '@breakwater/contract/firewall/api-shield.ts'
import { fieldFault } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { requireSite } from '../publish/change-site.ts'
import { siteSettings } from '../settings/site-settings.ts'
import { type CompiledDocument, compileDocument } from './compile.ts'
import { draftOf } from './draft.ts'
import { DocumentProblem } from './problem.ts'

export const apiShieldSettings = siteSettings(apiShield, {
  render({ enable, mode, document, scope, bodyBytes, overBudget }, out) {
    if (!enable) return
    out.set('apiShield', { mode, scope: [...scope].sort(), bodyBytes, overBudget, ...compileDocument(document).tables })
    out.requires.add('apiShield')
  },
  check(value) {
    const read = value.document.trim() === '' ? undefined : reading(value.document)
    if (read?.problem) throw fieldFault('document', `openApi.${read.problem.reason}`)
    return value
  },
})

function reading(document: string): ShieldReading {
  try {
    const { title, operations, notes }: CompiledDocument = compileDocument(document)
    return { problem: null, title, operations, notes }
  } catch (problem) {
    if (!(problem instanceof DocumentProblem)) throw problem
    const { reason, where } = problem
    return { problem: { reason, where }, title: '', operations: [], notes: [] }
  }
}

export function apiShieldFeature({ events }: Services): Feature {
  return implement(apiShieldDocument, {
    async check({ db, siteId, body }) {
      await requireSite(db, siteId)
      return reading(body.document)
    },
    async draft({ db, siteId }) {
      const { id, name } = await requireSite(db, siteId)
      return draftOf(events, id, name)
    },
  })
}
