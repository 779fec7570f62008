/**
 * Trigger frequencies (`setting/frequency` on the wire): how many requests in how many seconds are too many. An
 * operator offers them for the anti-CC rules of its customers, which refer to one by its id.
 */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, Name } from '../fields.ts'
import { intervalFields } from './interval-fields.ts'

export const frequenciesMax = 20

const fields = { name: Name, ...intervalFields }

export const Frequency = z.object({ id: z.number().int(), ...fields })
export type Frequency = z.output<typeof Frequency>

/** The frequencies if an operator has saved none. */
export const defaultFrequencies: readonly Frequency[] = [
  { id: 1, name: '600 / 60 s', seconds: 60, times: 600 },
  { id: 2, name: '100 / 10 s', seconds: 10, times: 100 },
  { id: 3, name: '30 / 10 s', seconds: 10, times: 30 },
]

export const FrequencyChange = z.strictObject({
  items: z
    .array(z.strictObject({ id: Id.optional().describe('Left out, it is a new one.'), ...fields }))
    .min(1, 'required')
    .max(frequenciesMax, 'itemsExceedLimit')
    .superRefine((items, context) => {
      for (const [index, { id, name }] of items.entries()) {
        const before = items.slice(0, index)
        if (before.some((other) => other.name === name))
          context.addIssue({ code: 'custom', path: [index, 'name'], message: 'duplicatedData' })
        if (id !== undefined && before.some((other) => other.id === id))
          context.addIssue({ code: 'custom', path: [index, 'id'], message: 'duplicatedData' })
      }
    })
    .describe('All of them, in their order. One that a rule names must stay.'),
})
export type FrequencyChange = z.output<typeof FrequencyChange>

export const frequencies = {
  get: endpoint('setting.frequency.get', 'GET', '/:tier/setting/frequency', {
    can: 'signedIn',
    reply: z.array(Frequency),
    summary: 'The trigger frequencies that anti-CC rules may name.',
  }),
  update: endpoint('client.setting.frequency.update', 'PUT', '/client/setting/frequency', {
    tiers: ['client'],
    can: 'settings.write',
    body: FrequencyChange,
    summary: 'Sets the trigger frequencies. Sites whose rules use a changed one are published again.',
  }),
}
