/**
 * The items of a module: list, enable, edit in place, add and remove. A change that affects several domains is reviewed
 * first.
 */
import type { Module, ModuleFamily } from '@breakwater/contract/modules/module-family.ts'
import { Pencil, Trash2 } from 'lucide-react'
import { type BaseSyntheticEvent, type ReactNode, useState } from 'react'
import { z } from 'zod'
import { Button, IconButton } from '../kit/Button.tsx'
import { Form } from '../kit/Form.tsx'
import { Failed, showFault } from '../kit/faults.tsx'
import { Pager } from '../kit/Pager.tsx'
import { ReviewDialog, ReviewList } from '../kit/ReviewDialog.tsx'
import { AddButton, RoomWords } from '../kit/Room.tsx'
import { Badge } from '../kit/Status.tsx'
import { Switch } from '../kit/Toggle.tsx'
import { type ResourceForm, useResourceForm } from '../kit/useResourceForm.ts'
import { fieldWords } from '../pickers/conflicts/field-words.ts'
import type { Fields } from '../pickers/conflicts/merge.ts'
import { useMergedSave } from '../pickers/conflicts/useMergedSave.tsx'
import { send } from '../platform/browser.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import type { ListSearch } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'

/** Internally, all items have the same shape; only the family's texts and form depend on their fields. */
type Item = { id: number; enabled: boolean } & Record<string, unknown>
type Asked = { does: 'adds' | 'removes' | 'changes'; text: ReactNode; act: () => Promise<unknown> }

type HeldForm<Body extends z.ZodObject> = {
  schema: z.ZodObject
  held: (item: z.input<Body>) => object
  sent: (held: object) => z.input<Body>
  /** Maps the server's field name to the form's. */
  fieldOf: (field: string) => string
}

type Props<Body extends z.ZodObject> = {
  siteId: number
  module: Module
  family: ModuleFamily<Body>
  /** An item as one line, and its name for screen readers. */
  line: (item: z.output<Body>) => ReactNode
  nameOf: (item: z.output<Body>) => string
  /** Additional information on a saved item. */
  known?: (id: number) => ReactNode
  /** The initial values of a new item. */
  fresh: z.input<Body>
  /** The fields of an item's form. They may depend on the item's id, which is undefined for a new one. */
  children: ReactNode | ((id: number | undefined) => ReactNode)
  words: { empty: string; add: string; added: string }
  /** For forms whose values have another shape than those of the calls. */
  form?: HeldForm<Body>
  /** Items that can be added with one press, while any of them is missing. */
  preset?: { label: string; items: z.input<Body>[]; isThere: (item: z.output<Body>, preset: z.input<Body>) => boolean }
}

export function ModuleItems<Body extends z.ZodObject>({ family, line, nameOf, known, preset, ...props }: Props<Body>) {
  const { siteId, module, words } = props
  const t = usePhrases('modules')
  const mayWrite = useMay()('modules.write')
  const { calls } = family as unknown as ModuleFamily
  const of = { siteId, moduleId: module.id }
  const [state, setState] = useState<Pick<ListSearch, 'page' | 'pageSize'>>({ page: 1, pageSize: 25 })
  const [editing, setEditing] = useState<number | 'new'>()
  const [asked, setAsked] = useState<Asked>()
  const call = useCall(calls.items, { ...of, query: state })
  const remove = useChange(calls.removeItems, calls.items, calls.list)
  const update = useChange(calls.updateItem, calls.items)
  const add = useChange(calls.addItems, calls.items, calls.list)
  const items = (call.data?.data ?? []) as Item[]
  const room = { total: call.data?.total, max: family.max }
  const full = t('full', { max: room.max })
  const isBusy = remove.isPending || update.isPending || add.isPending
  const missing = (preset?.items ?? []).filter((one) => !items.some((item) => preset?.isThere(item as never, one)))
  const textOf = (item: object) => line(item as z.output<Body>)
  const ask = (next: Asked) =>
    module.domainCount > 1 ? Promise.resolve(setAsked(next)) : next.act().then(() => undefined, showFault)
  const removeOne = async ({ id }: Item) => {
    await remove.mutateAsync({ ...of, body: { ids: [id] } })
    toasts.done(t('removed'))
  }
  const addPreset = async () => {
    await add.mutateAsync({ ...of, body: { items: missing as never } })
    toasts.done(words.added)
  }
  const form = (item: Item | undefined) => (
    <ItemForm
      key={item?.id ?? 'new'}
      {...props}
      family={family}
      item={item}
      textOf={textOf}
      ask={ask}
      onClose={() => setEditing(undefined)}
    />
  )
  return (
    <>
      {call.isError && <Failed fault={call.error} retry={() => call.refetch()} />}
      {items.length === 0 && call.data && <p className="mb-4 text-ink-3">{words.empty}</p>}
      {items.length > 0 && (
        <ul className="mb-3 divide-y divide-line rounded-panel border border-line">
          {items.map((item) => (
            <li key={item.id} className="py-1.5 pr-1.5 pl-3">
              {editing === item.id ? (
                form(item)
              ) : (
                <div className="flex items-center gap-3">
                  <div className="min-w-0 flex-1">
                    {textOf(item)}
                    {known?.(item.id)}
                  </div>
                  {mayWrite && (
                    <>
                      <Switch
                        aria-label={t('item.enabled', { name: nameOf(item as z.output<Body>) })}
                        checked={item.enabled}
                        disabled={isBusy}
                        onCheckedChange={(enabled) =>
                          ask({
                            does: 'changes',
                            text: textOf({ ...item, enabled }),
                            act: () =>
                              update.mutateAsync({
                                ...of,
                                body: { ...sentOf(family, item, item), enabled, basedOn: seenOf(family, item) },
                              }),
                          })
                        }
                      />
                      <IconButton
                        size="iconSm"
                        label={t('item.edit', { name: nameOf(item as z.output<Body>) })}
                        onClick={() => setEditing(item.id)}
                      >
                        <Pencil size={14} aria-hidden />
                      </IconButton>
                      <IconButton
                        size="iconSm"
                        label={t('item.remove', { name: nameOf(item as z.output<Body>) })}
                        disabled={isBusy}
                        onClick={() => ask({ does: 'removes', text: textOf(item), act: () => removeOne(item) })}
                      >
                        <Trash2 size={14} aria-hidden />
                      </IconButton>
                    </>
                  )}
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {call.data && call.data.total > state.pageSize && (
        <Pager state={state} go={(patch) => setState({ ...state, ...patch })} total={call.data.total} />
      )}
      {mayWrite && editing === 'new' && form(undefined)}
      {mayWrite && editing === undefined && (
        <div className="flex flex-wrap items-center gap-2">
          <AddButton room={room} label={words.add} full={full} onPress={() => setEditing('new')} />
          {preset && call.data && missing.length > 0 && (
            <Button
              busy={isBusy}
              onClick={() => ask({ does: 'adds', text: missing.map(textOf).map(asLine), act: addPreset })}
            >
              {preset.label}
            </Button>
          )}
          <RoomWords room={room} text={t('room', { n: room.total ?? 0, max: room.max })} full={full} />
        </div>
      )}
      {asked && (
        <ReviewDialog
          title={t('review.title')}
          affected={t('review.affected', { n: module.domainCount })}
          choices={[{ label: t('review.apply'), act: () => asked.act().then(() => setAsked(undefined)) }]}
          onClose={() => setAsked(undefined)}
        >
          <ReviewList
            items={[
              {
                key: asked.does,
                text: (
                  <>
                    <Badge tone={asked.does === 'removes' ? 'bad' : 'ok'}>{t(`review.${asked.does}`)}</Badge>{' '}
                    {asked.text}
                  </>
                ),
              },
            ]}
          />
        </ReviewDialog>
      )}
    </>
  )
}

const asLine = (text: ReactNode, at: number) => <span key={at}>{text}</span>

/** The body of a changed item: a secret is displayed as a placeholder, and is left out while unchanged. */
function sentOf<Body extends z.ZodObject>({ changed = {} }: ModuleFamily<Body>, item: Item, before: Item): Item {
  const sent = Object.entries(item).filter(([field, value]) => !(field in changed && value === before[field]))
  return Object.fromEntries(sent) as Item
}

/** The values that a change is based on, without secrets: their displayed values are not the stored ones. */
const seenOf = <Body extends z.ZodObject>({ changed = {} }: ModuleFamily<Body>, { id: _, ...item }: Item): Fields =>
  Object.fromEntries(Object.entries(item).filter(([field]) => !(field in changed)))

/** The most items that one call returns. */
const itemsMax = 500

type FormProps<Body extends z.ZodObject> = Omit<Props<Body>, 'line' | 'nameOf' | 'known' | 'preset'> & {
  item: Item | undefined
  textOf: (item: object) => ReactNode
  ask: (asked: Asked) => Promise<void>
  onClose: () => void
}

function ItemForm<Body extends z.ZodObject>(props: FormProps<Body>) {
  const { siteId, module, family, item, fresh, words, textOf, ask, onClose, children, form: held } = props
  const t = usePhrases('modules')
  const { calls } = family as unknown as ModuleFamily
  const of = { siteId, moduleId: module.id }
  const add = useChange(calls.addItems, calls.items, calls.list)
  const update = useChange(calls.updateItem, calls.items)
  const { id, ...known } = item ?? { id: 0 }
  // For fields that may be left out, the form holds the displayed placeholder; only the server validates what is typed
  // instead.
  const shown = Object.fromEntries(Object.keys((item && family.changed) ?? {}).map((field) => [field, z.string()]))
  const whole = family.item.extend(shown)
  const schema = held?.schema ?? (family.check ? whole.superRefine(family.check as never) : whole)
  const bodyOf = (values: object) => held?.sent(values) ?? values
  const values = (item ? known : fresh) as z.input<Body>
  const merging = useMergedSave<Item>({
    what: 'conflict.settings',
    fieldsOf: ({ id: _, ...fields }) => fields,
    write: (fields, base) => {
      const sent = sentOf(family, { ...fields, id } as Item, base ?? item!)
      return update.mutateAsync({ ...of, body: { ...sent, basedOn: base && seenOf(family, base) } })
    },
    readNow: async () => {
      const { data } = await send(calls.items, { ...of, query: { page: 1, pageSize: itemsMax } })
      return (data as Item[]).find((one) => one.id === id)
    },
    words: (was, is, say) => fieldWords(form.labels)(was, is, say),
  })
  const form: ResourceForm = useResourceForm(schema as unknown as z.ZodObject, {
    values: (held?.held(values) ?? values) as Record<string, unknown>,
    save: async (filled) => {
      const body = bodyOf(filled)
      if (item) return merging.save(body as Fields, item)
      await add.mutateAsync({ ...of, body: (family.addsOne ? body : { items: [body] }) as never })
      return { fields: body as Fields }
    },
    done: ({ kept }) => kept ?? words.added,
    onSaved: onClose,
    fieldOf: (field) => held?.fieldOf(field) ?? field.replace('items.0.', ''),
  })
  async function submit(event?: BaseSyntheticEvent) {
    event?.preventDefault()
    if (!(await form.methods.trigger())) return
    const text = textOf(bodyOf(form.methods.getValues()))
    await ask({ does: item ? 'changes' : 'adds', text, act: () => form.submit() })
  }
  return (
    <Form form={{ ...form, submit }}>
      {typeof children === 'function' ? children(item?.id) : children}
      {merging.dialog}
      <div className="flex gap-2 pb-2">
        <Button type="submit" look="solid" busy={form.busy}>
          {item ? t('item.save') : words.add}
        </Button>
        <Button onClick={onClose}>{t('item.cancel')}</Button>
      </div>
    </Form>
  )
}
