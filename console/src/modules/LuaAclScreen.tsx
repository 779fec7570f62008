/** ACL modules, and the rules of one: conditions and an action, written as text. */
import { Memo, Name, Priority, RuleMode } from '@breakwater/contract/fields.ts'
import { aclActions, aclSkippable, plainAction } from '@breakwater/contract/modules/acl/actions.ts'
import { completeAcl } from '@breakwater/contract/modules/acl/complete.ts'
import { measured } from '@breakwater/contract/modules/acl/condition.ts'
import { aclFieldNames, aclSigns } from '@breakwater/contract/modules/acl/fields.ts'
import { parseAcl } from '@breakwater/contract/modules/acl/parse.ts'
import { conditionText, printAcl } from '@breakwater/contract/modules/acl/print.ts'
import { aclCostMax, type LuaAcl, luaAcls } from '@breakwater/contract/modules/lua-acls.ts'
import type { Module, ModuleFamily } from '@breakwater/contract/modules/module-family.ts'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { CodeField } from '../kit/fields/CodeField.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Tag } from '../kit/Status.tsx'
import { usePhrases } from '../platform/phrases.ts'
import { ModuleItems } from './ModuleItems.tsx'
import { ModulesScreen } from './ModulesScreen.tsx'
import { TryAcl } from './TryAcl.tsx'

/** The form's values: conditions and action as one text. */
const Held = z.object({
  name: Name,
  script: z
    .string()
    .min(1, 'required')
    .refine((text) => 'rule' in parseAcl(text), 'wrongFormat'),
  mode: RuleMode,
  priority: Priority,
  expiresAt: z.string().nullable(),
  memo: Memo,
  enabled: z.boolean(),
})
type Held = z.output<typeof Held>
const Field = fieldsOf(Held)

const fresh: LuaAcl = {
  ...{
    name: '',
    ...plainAction,
    mode: 'observe',
    priority: 100,
    expiresAt: null,
    memo: '',
    enabled: true,
  },
  conditions: { field: 'path', name: '', operator: 'startsWith', values: ['/admin'] },
}

const example = 'when path startsWith "/admin" and not address in {192.0.2.0/24} then block'

const form = {
  schema: Held,
  held: ({ name, mode, priority, expiresAt, memo, enabled, ...rule }: LuaAcl): Held => ({
    ...{ name, mode, priority, expiresAt, memo, enabled },
    // Rules saved before actions existed have none.
    script: printAcl({ ...plainAction, ...rule }),
  }),
  sent: ({ script, ...rest }: Held): LuaAcl => {
    const read = parseAcl(script)
    return {
      ...fresh,
      ...rest,
      ...('rule' in read && read.rule),
    }
  },
  fieldOf: (field: string) =>
    /^(conditions|action|blockType|limit|redirect|header|skip)/.test(field) ? 'script' : field,
}

export function LuaAclScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('modules')
  return (
    <ModulesScreen
      siteId={siteId}
      family={luaAcls as unknown as ModuleFamily}
      list="luaAcls"
      title={t('acl.title')}
      help={t('acl.help')}
      items={t('acl.items')}
      emptyText={t('acl.emptyText')}
    >
      {(module) => <Rules siteId={siteId} module={module} />}
    </ModulesScreen>
  )
}

function Rules({ siteId, module }: { siteId: number; module: Module }) {
  const t = usePhrases('modules')
  return (
    <ModuleItems
      siteId={siteId}
      module={module}
      family={luaAcls}
      fresh={fresh}
      form={form as never}
      nameOf={({ name }) => name}
      line={({ name, conditions, action, mode }) => (
        <span className="flex flex-wrap items-center gap-x-3">
          <Tag>{t(`acl.action.${action}`)}</Tag>
          <span>{name}</span>
          <code className="mono min-w-0 break-all">{conditionText(conditions)}</code>
          {mode === 'observe' && <span className="text-ink-3">{t('acl.observed')}</span>}
        </span>
      )}
      words={{ empty: t('acl.empty'), add: t('acl.add'), added: t('acl.added') }}
    >
      {(ruleId) => (
        <>
          <RuleFields />
          <TryAcl siteId={siteId} moduleId={module.id} ruleId={ruleId} sent={form.sent} />
        </>
      )}
    </ModuleItems>
  )
}

/** Describes what is wrong with a text, in the user's language. */
function useCheck() {
  const t = usePhrases('modules')
  return (text: string) => {
    const read = parseAcl(text)
    if ('rule' in read || text === '') return undefined
    const { line, column, reason, found } = read.problem
    return {
      line,
      column,
      reason: t(`acl.error.${reason}`, { column, found, list: '{"a", "b"}', actions: aclActions.join(', ') }),
    }
  }
}

function RuleFields() {
  const t = usePhrases('modules')
  const check = useCheck()
  return (
    <>
      <Field.Text name="name" label={t('name')} />
      <CodeField
        name="script"
        label={t('acl.script')}
        help={t('acl.scriptHelp', { example, list: `{${aclSkippable.join(', ')}}` })}
        mode="expression"
        check={check}
        complete={completeAcl}
      />
      <Cost />
      <p className="mb-3 text-ink-3 text-xs">{t('acl.headerHelp')}</p>
      <dl className="mb-4 grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-ink-3 text-xs">
        <dt>{t('acl.fields')}</dt>
        <dd className="mono break-words">{aclFieldNames.join(' ')}</dd>
        <dt>{t('acl.operators')}</dt>
        <dd className="mono break-words">{Object.values(aclSigns).join(' ')}</dd>
      </dl>
      <Field.Select
        name={'mode' as never}
        label={t('waf.mode')}
        help={t('waf.modeHelp')}
        options={(['observe', 'enforce'] as const).map((value) => ({ value, label: t(`waf.mode.${value}`) }))}
      />
      <Field.Number name="priority" label={t('redirect.priority')} help={t('redirect.priorityHelp')} />
      <Field.Moment name="expiresAt" label={t('waf.expiresAt')} />
      <Field.Memo name="memo" label={t('memo')} />
    </>
  )
}

/** What the text costs per request, out of the module's budget. */
function Cost() {
  const t = usePhrases('modules')
  const read = parseAcl(String(useWatch({ name: 'script' }) ?? ''))
  if ('problem' in read) return null
  const { cost } = measured(read.rule.conditions)
  return <p className="mb-3 text-ink-3 text-xs">{t('acl.cost', { cost, max: aclCostMax })}</p>
}
