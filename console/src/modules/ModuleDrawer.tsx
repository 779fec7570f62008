/** One module: its items, the domains of this site that are bound to it, and its name. */
import { domains } from '@breakwater/contract/domains/domains.ts'
import { type Module, type ModuleFamily, ModuleInput } from '@breakwater/contract/modules/module-family.ts'
import { type ReactNode, useRef } from 'react'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { Drawer } from '../kit/Dialog.tsx'
import { Form } from '../kit/Form.tsx'
import { Failed } from '../kit/faults.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { type ResourceForm, useResourceForm } from '../kit/useResourceForm.ts'
import type { Fields } from '../pickers/conflicts/merge.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { useModuleSave } from './useModuleSave.ts'

type Of = { siteId: number; family: ModuleFamily; module: Module }

type DrawerProps = Of & { children: ReactNode; namesItself: boolean; onClose: () => void }

export function ModuleDrawer({ children, namesItself, onClose, ...of }: DrawerProps) {
  const t = usePhrases('modules')
  return (
    <Drawer title={of.module.name} onClose={onClose}>
      {children}
      <h2 className="mt-6 mb-2 font-semibold">{t('bind.title')}</h2>
      <Bindings {...of} />
      {!namesItself && (
        <>
          <h2 className="mt-6 mb-2 font-semibold">{t('rename')}</h2>
          <Naming {...of} />
        </>
      )}
    </Drawer>
  )
}

const domainsMax = 500
const Bound = z.object({ domains: z.array(z.string()) })
const BoundField = fieldsOf(Bound)

/** Binds domains of the site, several at once. */
function Bindings(of: Of) {
  const call = useCall(domains.list, {
    siteId: of.siteId,
    query: { page: 1, pageSize: domainsMax, sortBy: 'name', orderBy: 'asc' },
  })
  if (call.isError) return <Failed fault={call.error} retry={() => call.refetch()} />
  if (!call.data) return <div className="skeleton h-16" />
  return <BindingForm {...of} all={call.data.data} />
}

type Row = { id: number; name: string; modules: Record<string, number> }

function BindingForm({ siteId, family, module, all }: Of & { all: readonly Row[] }) {
  const t = usePhrases('modules')
  const mayWrite = useMay()('modules.write')
  const bind = useChange(family.calls.bind, domains.list, domains.settings, family.calls.list)
  const isBound = ({ modules }: Row) => modules[family.one] === module.id
  const form = useResourceForm(Bound, {
    values: { domains: all.filter(isBound).map(({ id }) => String(id)) },
    async save({ domains: chosen }) {
      const wanted = new Set(chosen.map(Number))
      const idsOf = (rows: Row[]) => rows.map(({ id }) => id)
      const added = idsOf(all.filter((row) => wanted.has(row.id) && !isBound(row)))
      const removed = idsOf(all.filter((row) => !wanted.has(row.id) && isBound(row)))
      const bindTo = (domainIDs: number[], id: number) =>
        bind.mutateAsync({ siteId, body: { domainIDs, [family.bindAs]: id } as never })
      if (removed.length > 0) await bindTo(removed, 0)
      if (added.length > 0) await bindTo(added, module.id)
    },
    done: t('bind.done'),
    stays: (saved) => saved,
  })
  if (all.length === 0) return <p className="text-ink-3">{t('bind.noDomains')}</p>
  return (
    <Form form={form}>
      <BoundField.Many
        name="domains"
        label={t('bind.domains')}
        help={t('bind.help')}
        options={all.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      {mayWrite && (
        <Button type="submit" busy={form.busy}>
          {t('bind.save')}
        </Button>
      )}
    </Form>
  )
}

const Field = fieldsOf(ModuleInput)

function Naming({ siteId, family, module }: Of) {
  const t = usePhrases('modules')
  const mayWrite = useMay()('modules.write')
  const base = useRef<Fields>({ name: module.name, memo: module.memo })
  const merging = useModuleSave(siteId, family, module.id, () => form.labels)
  const form: ResourceForm = useResourceForm(ModuleInput, {
    values: { name: module.name, memo: module.memo },
    save: (body) => merging.save(body, base.current),
    done: ({ kept }) => kept ?? t('renamed'),
    stays: (_, { fields }) => {
      base.current = fields
      return fields as ModuleInput
    },
  })
  return (
    <Form form={form}>
      <Field.Text name="name" label={t('name')} />
      <Field.Memo name="memo" label={t('memo')} />
      {merging.dialog}
      {mayWrite && (
        <Button type="submit" busy={form.busy}>
          {t('rename')}
        </Button>
      )}
    </Form>
  )
}
