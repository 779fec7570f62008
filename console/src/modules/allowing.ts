/** The form that allows a logged request: which of its matches, where, why and until when. */
import { Memo } from '@breakwater/contract/fields.ts'
import { WafModuleRule } from '@breakwater/contract/modules/waf.ts'
import { z } from 'zod'

export const Allowing = WafModuleRule.pick({ urlRegex: true }).extend({
  matches: z.array(z.string()).min(1, 'required'),
  memo: Memo.min(1, 'required'),
  expiresAt: z.iso.datetime({ offset: true, error: 'required' }),
})
export type Allowing = z.output<typeof Allowing>
