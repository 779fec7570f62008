/** The operator's button to rename a site. */
import { Name } from '@breakwater/contract/fields.ts'
import { operatorSites } from '@breakwater/contract/sites/operator-sites.ts'
import { type SiteDetail, sites } from '@breakwater/contract/sites/sites.ts'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useMergedForm } from '../pickers/conflicts/useMergedForm.ts'
import { send } from '../platform/browser.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

const schema = z.object({ siteName: Name })
type Named = z.output<typeof schema>
const Field = fieldsOf(schema)

export function RenameButton({ site }: { site: SiteDetail }) {
  const t = usePhrases('sites')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="line" onClick={() => setOpen(true)}>
        {t('op.rename')}
      </Button>
      {isOpen && <RenameDrawer site={site} onClose={() => setOpen(false)} />}
    </>
  )
}

function RenameDrawer({ site: { siteID, siteName }, onClose }: { site: SiteDetail; onClose: () => void }) {
  const t = usePhrases('sites')
  const update = useChange(operatorSites.update, sites.get, sites.listAll)
  const { form, dialog } = useMergedForm<Named>(schema, {
    stored: { siteName },
    fieldsOf: (named) => named,
    write: (fields, basedOn) =>
      update.mutateAsync({ body: { siteID, ...(fields as Named), ...(basedOn && { basedOn }) } }),
    readNow: async () => ({ siteName: (await send(sites.get, { siteId: siteID })).siteName }),
    done: t('op.saved'),
    onSaved: onClose,
  })
  return (
    <FormDrawer form={form} title={t('op.rename.title', { name: siteName })} onClose={onClose}>
      <Field.Text name="siteName" label={t('name')} help={t('op.rename.help')} autoFocus />
      {dialog}
    </FormDrawer>
  )
}
