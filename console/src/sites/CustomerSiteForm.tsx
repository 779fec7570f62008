/** The operator creates a site for a customer. */
import { accounts } from '@breakwater/contract/account/accounts.ts'
import { Name } from '@breakwater/contract/fields.ts'
import { products } from '@breakwater/contract/products/products.ts'
import { operatorSites } from '@breakwater/contract/sites/operator-sites.ts'
import { SiteTags, siteTags } from '@breakwater/contract/sites/site-tags.ts'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { z } from 'zod'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

const schema = z.object({
  siteName: Name,
  userID: z.number('required').int().positive('required'),
  productID: z.number('required').int().positive('required'),
  expired: z.string().nullable(),
  tags: SiteTags,
})
const Field = fieldsOf(schema)

/** The most customers offered here; an operator with more of them searches the list of accounts. */
const customersMax = 500

export function CustomerSiteForm({ onClose }: { onClose: () => void }) {
  const customers = useCall(accounts.list, { query: { auth: 'user', pageSize: customersMax } }).data?.data
  const offered = useCall(products.meta, {}).data?.data
  if (!customers || !offered) return null
  const roots = customers
    .filter(({ isRoot }) => isRoot)
    .map(({ id, tenant, account }) => ({
      value: id,
      label: tenant.name === account ? account : `${tenant.name} (${account})`,
    }))
  return <SiteDrawer customers={roots} offered={offered} onClose={onClose} />
}

type DrawerProps = {
  customers: { value: number; label: string }[]
  offered: { id: number; name: string }[]
  onClose: () => void
}

function SiteDrawer({ customers, offered, onClose }: DrawerProps) {
  const t = usePhrases('sites')
  const create = useChange(operatorSites.create, sites.listAll, sites.meta, siteTags.list)
  const form = useResourceForm(schema, {
    values: {
      siteName: '',
      userID: customers[0]?.value ?? 0,
      productID: offered[0]?.id ?? 0,
      expired: null,
      tags: [],
    },
    save: (body) => create.mutateAsync({ body }),
    done: t('made'),
    onSaved: onClose,
  })
  return (
    <FormDrawer form={form} title={t('op.make')} onClose={onClose} saveLabel={t('new')}>
      <Field.Text name="siteName" label={t('name')} autoFocus />
      <Field.Select name="userID" label={t('op.customer')} options={customers} />
      <Field.Select
        name="productID"
        label={t('product')}
        options={offered.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Field.Moment name="expired" label={t('expires')} help={t('op.expiry.help')} />
      <Field.Tags name="tags" label={t('tags')} max={20} />
    </FormDrawer>
  )
}
