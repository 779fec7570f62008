/** Allow list and deny list of a site: two lists of one shape. */

import { methods } from '@breakwater/contract/fields.ts'
import { allowRules, denyRules, IpRule } from '@breakwater/contract/firewall/ip-rules.ts'
import type { StoredRule } from '@breakwater/contract/rule-list.ts'
import { useCall, useChange } from '../../app/calls.ts'
import { useFormat } from '../../app/format.ts'
import { useListState } from '../../app/list-state.ts'
import { usePhrases } from '../../app/phrases.ts'
import { ListSearch } from '../../app/search-state.ts'
import { useMay } from '../../app/session.ts'
import { Button } from '../../kit/Button.tsx'
import { Empty } from '../../kit/Empty.tsx'
import { later } from '../../kit/later.tsx'
import { PageHead } from '../../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../../kit/ResourceTable.tsx'
import { RowName } from '../../kit/RowName.tsx'
import { RemoveRules } from '../RemoveRules.tsx'
import { actionColumn, changedColumn, enabledColumn, expiryColumn, memoColumn } from '../rule-columns.tsx'
import { useEnabling } from '../useEnabling.ts'

const IpRuleForm = later(() => import('./IpRuleForm.tsx').then((file) => file.IpRuleForm))

type Rule = StoredRule<IpRule>
const lists = { allow: allowRules, deny: denyRules }
type Kind = keyof typeof lists

export const AllowListScreen = ({ siteId }: { siteId: number }) => <IpRulesScreen siteId={siteId} kind="allow" />
export const DenyListScreen = ({ siteId }: { siteId: number }) => <IpRulesScreen siteId={siteId} kind="deny" />

function IpRulesScreen({ siteId, kind }: { siteId: number; kind: Kind }) {
  const t = usePhrases('firewall')
  const format = useFormat()
  const mayWrite = useMay()('firewall.write')
  const [state, go] = useListState(`${kind}-rules`, ListSearch)
  const { page, pageSize, edit } = state
  const { list, create, update, remove } = lists[kind].calls
  const rules = useCall(list, { siteId, query: { page, pageSize } })
  const adding = useChange(create, list)
  const changing = useChange(update, list)
  const removing = useChange(remove, list)

  const opened = rules.data?.data.find(({ id }) => id === edit)
  const save = (body: IpRule) =>
    opened ? changing.mutateAsync({ siteId, body: { ...body, id: opened.id } }) : adding.mutateAsync({ siteId, body })
  const enable = useEnabling<Rule>((rule, enabled) =>
    changing.mutateAsync({ siteId, body: { ...IpRule.parse(rule), enabled, id: rule.id } }),
  )
  const nameOf = ({ ips }: Rule) =>
    ips.length > 1 ? t('addresses.more', { first: ips[0]!, n: ips.length }) : (ips[0] ?? '')

  const columns: Column<Rule>[] = [
    {
      key: 'rule',
      title: t('addresses'),
      render: (rule) => (
        <RowName name={nameOf(rule)} mono onOpen={() => go({ edit: rule.id })}>
          <span className={rule.urlRegex ? 'mono' : ''}>{rule.urlRegex || t('everyUrl')}</span>
          {' · '}
          {rule.methodValues.length === methods.length ? t('everyMethod') : rule.methodValues.join(', ')}
        </RowName>
      ),
    },
    actionColumn(t, () => t(kind === 'allow' ? 'action.allow' : 'action.block')),
    memoColumn(t),
    expiryColumn(t, format),
    changedColumn(t, format),
    enabledColumn(t, mayWrite ? enable : undefined),
  ]
  const add = mayWrite && (
    <Button look="solid" onClick={() => go({ edit: 'new' })}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHead title={t(`${kind}.title`)} help={t(`${kind}.help`)}>
        {add}
      </PageHead>
      <ResourceTable
        label={t(`${kind}.title`)}
        list={`${kind}-rules`}
        call={rules}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={nameOf}
        state={state}
        go={go}
        onOpen={({ id }) => go({ edit: id })}
        bulk={
          mayWrite
            ? (chosen, clear) => (
                <RemoveRules
                  rules={chosen}
                  remove={(ids) => removing.mutateAsync({ siteId, body: { ids } })}
                  onDone={clear}
                />
              )
            : undefined
        }
        empty={
          <Empty title={t(`${kind}.empty`)} action={add}>
            {t(`${kind}.emptyText`)}
          </Empty>
        }
      />
      {(edit === 'new' || opened) && (
        <IpRuleForm
          key={edit}
          siteId={siteId}
          kind={kind === 'allow' ? 'allowRules' : 'denyRules'}
          rule={opened}
          save={save}
          onClose={() => go({ edit: undefined })}
        />
      )}
    </>
  )
}
