/** One product: its name, the groups of each zone, and the limits of its sites. */
import { Name } from '@breakwater/contract/fields.ts'
import { pageSizeMax } from '@breakwater/contract/paging.ts'
import { type Product, products } from '@breakwater/contract/products/products.ts'
import { useFormContext, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Select } from '../kit/Select.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useMergedForm } from '../pickers/conflicts/useMergedForm.ts'
import { LimitationFields, limitationShape, limitationsOf, limitationValues } from '../pickers/LimitationFields.tsx'
import { send } from '../platform/browser.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'
import { useZoneGroups, type ZoneGroupChoice } from './use-zone-groups.ts'

const schema = z.object({
  name: Name,
  portType: z.union([z.literal(4), z.literal(7)]),
  groups: z
    .array(z.object({ zoneID: z.number(), groupID: z.number(), isBackup: z.boolean() }))
    .refine((groups) => groups.some(({ isBackup }) => !isBackup), 'noMainGroup'),
  selfService: z.boolean(),
  siteLimit: z.number('number').int('number').min(0, 'number'),
  ...limitationShape,
})
const Field = fieldsOf(schema)

type Values = z.output<typeof schema>

const valuesOf = ({ portType, groups, limitations, name, selfService, siteLimit }: Kept): Values => ({
  ...{ name, selfService, siteLimit },
  portType: portType === 4 ? 4 : 7,
  groups: groups.map(({ zoneID, groupID, isBackup }) => ({ zoneID, groupID, isBackup })),
  ...limitationValues(limitations),
})
function bodyOf({ name, portType, groups, selfService, siteLimit, ...limits }: Values) {
  return { name, portType, groups, selfService, siteLimit, limitations: limitationsOf(limits) }
}
const fieldOf = (field: string): string => (field.startsWith('groups') ? 'groups' : field.replace('limitations.', ''))

/** The fields of a product that can be edited here. */
type Kept = Omit<Product, 'id' | 'siteCount'>
const newProduct: Kept = {
  ...{ name: '', portType: 7, groups: [], selfService: false, siteLimit: 0 },
  limitations: { domains: 100, ports: 20, trafficBytes: 0 },
}

type Props = { product: Product | undefined; onClose: () => void }

export const ProductDrawer = ({ product, onClose }: Props) =>
  product ? <ProductEditor product={product} onClose={onClose} /> : <NewProduct onClose={onClose} />

function NewProduct({ onClose }: { onClose: () => void }) {
  const t = usePhrases('products')
  const create = useChange(products.create, products.list, products.meta)
  const form = useResourceForm(schema, {
    values: valuesOf(newProduct),
    save: (values) => create.mutateAsync({ body: bodyOf(values) }),
    done: t('saved'),
    onSaved: onClose,
    fieldOf,
  })
  return (
    <FormDrawer form={form} title={t('add')} onClose={onClose}>
      <ProductFields isNew />
    </FormDrawer>
  )
}

function ProductEditor({ product, onClose }: { product: Product; onClose: () => void }) {
  const t = usePhrases('products')
  const update = useChange(products.update, products.list, products.meta)
  const mayWrite = useMay()('products.write')
  const keptOf = ({ id: _, siteCount: __, ...kept }: Product): Kept => kept
  const { form, dialog } = useMergedForm<Kept>(schema, {
    stored: keptOf(product),
    fieldsOf: valuesOf,
    write: (fields, basedOn) =>
      update.mutateAsync({ body: { ...bodyOf(fields as Values), id: product.id, ...(basedOn && { basedOn }) } }),
    readNow: async () => {
      const { data } = await send(products.list, { query: { page: 1, pageSize: pageSizeMax } })
      const now = data.find(({ id }) => id === product.id)
      return now && keptOf(now)
    },
    done: t('saved'),
    onSaved: onClose,
    fieldOf,
    names: { groups: t('groups') },
  })
  return (
    <FormDrawer form={form} title={t('edit')} onClose={onClose}>
      <ProductFields />
      {dialog}
      {mayWrite && <RemoveProduct product={product} onClose={onClose} />}
    </FormDrawer>
  )
}

function ProductFields({ isNew = false }: { isNew?: boolean }) {
  const t = usePhrases('products')
  return (
    <>
      <Field.Text name="name" label={t('name')} autoFocus />
      {isNew && (
        <Field.Select
          name="portType"
          label={t('portType')}
          options={[
            { value: 7, label: t('portType.7') },
            { value: 4, label: t('portType.4') },
          ]}
        />
      )}
      <GroupFields />
      <Field.Switch name="selfService" label={t('selfService')} help={t('selfService.help')} />
      <Field.Number name="siteLimit" label={t('siteLimit')} help={t('siteLimit.help')} />
      <h3 className="mt-5 font-semibold">{t('limits')}</h3>
      <p className="mb-3 text-ink-3 text-xs">{t('limits.help')}</p>
      <LimitationFields />
    </>
  )
}

type Chosen = { zoneID: number; groupID: number; isBackup: boolean }

/** A main and a backup group for each zone. */
function GroupFields() {
  const t = usePhrases('products')
  const { setValue, formState, clearErrors } = useFormContext()
  const portType = useWatch({ name: 'portType' }) as number
  const chosen = useWatch({ name: 'groups' }) as Chosen[]
  const zones = useZoneGroups(portType)
  const error = formState.errors.groups
  function choose(zoneID: number, isBackup: boolean, groupID: number) {
    const others = chosen.filter((one) => one.zoneID !== zoneID || one.isBackup !== isBackup)
    clearErrors('groups')
    setValue('groups', groupID === 0 ? others : [...others, { zoneID, groupID, isBackup }], { shouldDirty: true })
  }
  const rows = zones.flatMap((zone) =>
    [false, true]
      .map((isBackup) => ({ zone, isBackup, groups: zone.groups.filter((group) => group.isBackup === isBackup) }))
      .filter(({ groups }) => groups.length > 0),
  )
  return (
    <fieldset className="mb-4" aria-invalid={error !== undefined}>
      <p className="mb-2 text-ink-3 text-xs">{t('groups.help')}</p>
      {rows.length === 0 && <p className="text-warn">{t('groups.none')}</p>}
      {rows.map(({ zone, isBackup, groups }) => (
        <GroupRow
          key={`${zone.id} ${isBackup}`}
          label={t(isBackup ? 'group.backup' : 'group.main', { zone: zone.name })}
          none={t('noGroup')}
          groups={groups}
          value={chosen.find((one) => one.zoneID === zone.id && one.isBackup === isBackup)?.groupID ?? 0}
          onChange={(groupID) => choose(zone.id, isBackup, groupID)}
        />
      ))}
      {error && (
        <p role="alert" className="text-bad text-xs">
          {t('groups.help')}
        </p>
      )}
    </fieldset>
  )
}

type RowProps = {
  label: string
  none: string
  groups: ZoneGroupChoice['groups']
  value: number
  onChange: (groupID: number) => void
}

function GroupRow({ label, none, groups, value, onChange }: RowProps) {
  return (
    <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
      <span className="min-w-0 truncate text-ink-2">{label}</span>
      <Select
        label={label}
        value={value}
        onChange={onChange}
        className="w-56"
        options={[{ value: 0, label: none }, ...groups.map(({ id, name }) => ({ value: id, label: name }))]}
      />
    </div>
  )
}

function RemoveProduct({ product, onClose }: { product: Product; onClose: () => void }) {
  const t = usePhrases('products')
  const remove = useChange(products.remove, products.list, products.meta)
  return (
    <div className="mt-6 border-line border-t pt-4">
      <ConfirmButton
        look="danger"
        label={t('remove')}
        title={t('remove.title', { name: product.name })}
        consequence={t('remove.text')}
        confirmLabel={t('remove')}
        onConfirm={async () => {
          await remove.mutateAsync({ body: { id: product.id } })
          toasts.done(t('removed'))
          onClose()
        }}
      />
    </div>
  )
}
