/** WAF modules: the threshold and paranoia level, and the exceptions for single rules. */
import { blockTypes, methods } from '@breakwater/contract/fields.ts'
import type { Module, ModuleFamily } from '@breakwater/contract/modules/module-family.ts'
import {
  overBudgets,
  WafModule,
  WafModuleRule,
  waf,
  wafResponses,
  wafRuleActions,
} from '@breakwater/contract/modules/waf.ts'
import { apiExceptions } from '@breakwater/contract/modules/waf-exceptions.ts'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Tag } from '../kit/Status.tsx'
import { useRuleNames } from '../pickers/waf-rule-names.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useSearchState } from '../platform/search-state.ts'
import { AllowHere } from './AllowHere.tsx'
import { ModuleItems } from './ModuleItems.tsx'
import { ModulesScreen } from './ModulesScreen.tsx'
import { ChangeSettingsModule, NewSettingsModule } from './SettingsModule.tsx'
import { useWafApplied, WafApplied } from './WafApplied.tsx'
import { WafTrial } from './WafTrial.tsx'
import { WafRuleNames, WhichRuleSet } from './waf-rule-names.tsx'

const Field = fieldsOf(WafModule)
const RuleField = fieldsOf(WafModuleRule)
const family = waf as unknown as ModuleFamily

const fresh: WafModule = {
  ...{ name: '', memo: '', enabled: true, mode: 'observe', blockType: 0, paranoia: 1, threshold: 5 },
  ...{ overBudget: 'block', responses: 'off' },
}
const freshRule: WafModuleRule = {
  ...{ ruleID: 0, name: '', urlRegex: '', methodValues: [...methods], target: '', action: 'off', blockType: 0 },
  ...{ priority: 100, expiresAt: null, memo: '', enabled: true },
}
const modes = ['observe', 'enforce'] as const
/** The names of the exceptions for APIs. */
const apiNames = { 911100: 'waf.api.methods', 920420: 'waf.api.types' } as const
const levels = [1, 2, 3, 4] as const

/** The log row whose request is to be allowed. */
const Search = z.object({ allow: z.string().optional().catch(undefined), edit: z.number().optional().catch(undefined) })

export function WafScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('modules')
  const [{ allow }, go] = useSearchState(Search)
  const settings = { siteId, family, schema: WafModule }
  return (
    <>
      {allow !== undefined && (
        <AllowHere siteId={siteId} row={allow} onClose={(edit) => go({ allow: undefined, edit })} />
      )}
      <ModulesScreen
        siteId={siteId}
        family={family}
        list="waf"
        title={t('waf.title')}
        help={t('waf.help')}
        items={t('waf.rules')}
        emptyText={t('waf.emptyText')}
        newModule={(props) => (
          <NewSettingsModule {...settings} {...props} fresh={fresh}>
            <WafFields />
          </NewSettingsModule>
        )}
      >
        {(module) => (
          <>
            <ChangeSettingsModule {...settings} module={module} done={t('waf.saved')}>
              <WafFields />
              <WhichRuleSet siteId={siteId} />
              <WafTrial siteId={siteId} module={module as unknown as WafModule & { id: number }} />
            </ChangeSettingsModule>
            <h2 className="mt-6 mb-2 font-semibold">{t('waf.rules')}</h2>
            <p className="mb-3 text-ink-2">{t('waf.rulesHelp')}</p>
            <Rules siteId={siteId} module={module} />
          </>
        )}
      </ModulesScreen>
    </>
  )
}

function WafFields() {
  const t = usePhrases('modules')
  return (
    <>
      <Field.Text name="name" label={t('name')} />
      <Field.Switch name="enabled" label={t('waf.enabled')} />
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field.Select
          name="mode"
          label={t('waf.mode')}
          help={t('waf.modeHelp')}
          options={modes.map((value) => ({ value, label: t(`waf.mode.${value}`) }))}
        />
        <BlockTypeField />
        <Field.Select
          name="paranoia"
          label={t('waf.paranoia')}
          help={t('waf.paranoiaHelp')}
          options={levels.map((value) => ({ value, label: t(`waf.paranoia.${value}`) }))}
        />
        <Field.Number name="threshold" label={t('waf.threshold')} help={t('waf.thresholdHelp')} />
      </div>
      <Field.Select
        name="overBudget"
        label={t('waf.overBudget')}
        help={t('waf.overBudgetHelp')}
        options={overBudgets.map((value) => ({ value, label: t(`waf.overBudget.${value}`) }))}
      />
      <Field.Select
        name="responses"
        label={t('waf.responses')}
        help={t('waf.responsesHelp')}
        options={wafResponses.map((value) => ({ value, label: t(`waf.responses.${value}`) }))}
      />
      <Field.Memo name="memo" label={t('memo')} />
    </>
  )
}

function BlockTypeField() {
  const t = usePhrases('modules')
  const options = [
    { value: 0, label: t('waf.refuse') },
    ...Object.entries(blockTypes).map(([mode, value]) => ({
      value,
      label: t(`waf.challenge.${mode as keyof typeof blockTypes}`),
    })),
  ]
  return <Field.Select name="blockType" label={t('waf.blockType')} options={options} />
}

function Rules({ siteId, module }: { siteId: number; module: Module }) {
  const t = usePhrases('modules')
  const nameOf = useRuleNames(siteId)
  const applied = useWafApplied(siteId, module.id)
  return (
    <ModuleItems
      siteId={siteId}
      module={module}
      family={waf}
      fresh={freshRule}
      nameOf={({ name }) => name}
      line={({ ruleID, name, urlRegex, target, action, memo }) => (
        <span className="flex flex-wrap items-center gap-x-3">
          <Tag>{t(`waf.action.${action}`)}</Tag>
          <span>{name}</span>
          <span className="num text-ink-3" title={nameOf(ruleID)}>
            {ruleID === 0 ? t('waf.everyRule') : ruleID}
          </span>
          {urlRegex !== '' && <code className="mono min-w-0 break-all">{urlRegex}</code>}
          {target !== '' && <code className="mono min-w-0 break-all">{target}</code>}
          {memo && <span className="text-ink-3">{memo}</span>}
        </span>
      )}
      known={(id) => <WafApplied applied={applied.get(id)} />}
      preset={{
        label: t('waf.api'),
        items: apiExceptions.map((given) => ({
          ...{ ...freshRule, ...given, name: t(apiNames[given.ruleID as keyof typeof apiNames]) },
        })),
        isThere: (item, given) => item.ruleID === given.ruleID && item.action === 'off' && item.urlRegex === '',
      }}
      words={{ empty: t('waf.empty'), add: t('waf.add'), added: t('waf.added') }}
    >
      <RuleFields siteId={siteId} />
    </ModuleItems>
  )
}

function RuleFields({ siteId }: { siteId: number }) {
  const t = usePhrases('modules')
  const action = useWatch({ name: 'action' }) as WafModuleRule['action']
  return (
    <>
      <RuleField.Text name="name" label={t('name')} />
      <RuleField.Number name="ruleID" label={t('waf.ruleID')} help={t('waf.ruleIDHelp')} />
      <WafRuleNames siteId={siteId} />
      <RuleField.Select
        name={'action' as never}
        label={t('waf.action')}
        options={wafRuleActions.map((value) => ({ value, label: t(`waf.action.${value}`) }))}
      />
      {action === 'enforce' && <BlockTypeField />}
      <RuleField.Text name={'urlRegex' as never} label={t('redirect.urlRegex')} help={t('waf.urlRegexHelp')} mono />
      <RuleField.Text
        name={'target' as never}
        label={t('waf.target')}
        help={t('waf.targetHelp')}
        placeholder="arg:comment"
        mono
      />
      <RuleField.Many
        name={'methodValues' as never}
        label={t('waf.methods')}
        options={methods.map((value) => ({ value, label: value }))}
      />
      <RuleField.Moment name={'expiresAt' as never} label={t('waf.expiresAt')} />
      <RuleField.Number name={'priority' as never} label={t('redirect.priority')} />
      <RuleField.Memo name={'memo' as never} label={t('waf.reason')} />
    </>
  )
}
