/** The limits of a site, as form fields. Traffic is typed in GB. */
import type { Limitations } from '@breakwater/contract/sites/limitations.ts'
import { z } from 'zod'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { usePhrases } from '../platform/phrases.ts'

const bytesOfGb = 1e9
const Count = z.number('number').int('number').min(0, 'number')

export const limitationShape = { domains: Count, ports: Count, trafficBytes: Count }
const schema = z.object(limitationShape)
const Field = fieldsOf(schema)

type Values = z.output<typeof schema>

export const limitationValues = ({ trafficBytes, ...counts }: Limitations): Values => ({
  ...counts,
  trafficBytes: Math.round(trafficBytes / bytesOfGb),
})

export const limitationsOf = ({ domains, ports, trafficBytes }: Values): Limitations => ({
  domains,
  ports,
  trafficBytes: trafficBytes * bytesOfGb,
})

export function LimitationFields() {
  const t = usePhrases('sites')
  return (
    <div className="grid gap-x-4 sm:grid-cols-3">
      <Field.Number name="domains" label={t('limit.domains')} />
      <Field.Number name="ports" label={t('limit.ports')} />
      <Field.Number name="trafficBytes" label={t('limit.traffic')} unit="GB" />
    </div>
  )
}
