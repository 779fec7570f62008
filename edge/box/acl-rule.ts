/** A Lua ACL rule built from its text, as the control plane sends it to nodes. */
import type { EdgeAcl } from '@breakwater/contract/edge/acl-part.ts'
import { edgeActionOf, programOf } from '@breakwater/contract/edge/acl-program.ts'
import { parseAcl } from '@breakwater/contract/modules/acl/parse.ts'

export function aclRule(id: number, text: string, more: Partial<EdgeAcl> = {}): EdgeAcl {
  const read = parseAcl(text)
  if ('problem' in read) throw new Error(JSON.stringify(read.problem))
  const { conditions, ...action } = read.rule
  return { ...{ id, mode: 'enforce', ...edgeActionOf(action), tests: programOf(conditions) }, ...more }
}
