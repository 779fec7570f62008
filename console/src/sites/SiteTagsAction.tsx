/** Tags the selected sites. */
import { SiteTags, siteTags } from '@breakwater/contract/sites/site-tags.ts'
import { type Site, sites } from '@breakwater/contract/sites/sites.ts'
import { z } from 'zod'
import { BulkForm } from '../kit/BulkForm.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

const schema = z.object({ tags: SiteTags })
const Field = fieldsOf(schema)

/** Initially, the tags that all of them share. */
const sharedTags = (rows: readonly Site[]): string[] =>
  (rows[0]?.tags ?? []).filter((tag) => rows.every(({ tags }) => tags.includes(tag)))

export function SiteTagsAction({ rows, clear }: { rows: readonly Site[]; clear: () => void }) {
  const t = usePhrases('sites')
  const change = useChange(siteTags.update, sites.listOwn, sites.listAll, siteTags.list)
  return (
    <BulkForm
      label={t('op.tags')}
      title={t('op.tags.title', { n: rows.length })}
      schema={schema}
      values={{ tags: sharedTags(rows) }}
      act={({ tags }) => change.mutateAsync({ body: { siteIDs: rows.map(({ siteID }) => siteID), tags } })}
      done={t('op.tags.done')}
      clear={clear}
    >
      <Field.Tags name="tags" label={t('tags')} help={t('op.tags.help')} max={20} />
    </BulkForm>
  )
}
