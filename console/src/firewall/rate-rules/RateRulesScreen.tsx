/** Rate rules of a site. The reference of a list with a drawer: copy this folder. */
import { RateRule, rateRules } from '@breakwater/contract/firewall/rate-rules.ts'
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
import { useBlockTypeName } from '../block-types.ts'
import { RemoveRules } from '../RemoveRules.tsx'
import { actionColumn, changedColumn, enabledColumn, expiryColumn, memoColumn } from '../rule-columns.tsx'
import { useEnabling } from '../useEnabling.ts'

const RateRuleForm = later(() => import('./RateRuleForm.tsx').then((file) => file.RateRuleForm))

type Rule = StoredRule<RateRule>
const { list, create, update, remove } = rateRules.calls

export function RateRulesScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('firewall')
  const format = useFormat()
  const blockTypeName = useBlockTypeName()
  const mayWrite = useMay()('firewall.write')
  const [state, go] = useListState('rate-rules', ListSearch)
  const { page, pageSize, edit } = state
  const rules = useCall(list, { siteId, query: { page, pageSize } })
  const adding = useChange(create, list)
  const changing = useChange(update, list)
  const removing = useChange(remove, list)

  const opened = rules.data?.data.find(({ id }) => id === edit)
  const close = () => go({ edit: undefined })
  const save = (body: RateRule) =>
    opened ? changing.mutateAsync({ siteId, body: { ...body, id: opened.id } }) : adding.mutateAsync({ siteId, body })
  const enable = useEnabling<Rule>((rule, enabled) =>
    changing.mutateAsync({ siteId, body: { ...RateRule.parse(rule), enabled, id: rule.id } }),
  )

  const columns: Column<Rule>[] = [
    {
      key: 'rule',
      title: t('rule'),
      render: ({ id, urlRegex, rate, burst }) => (
        <RowName name={urlRegex} mono onOpen={() => go({ edit: id })}>
          {t('rate.sentence', { rate, burst })}
        </RowName>
      ),
    },
    actionColumn(t, ({ blockType }) => blockTypeName(blockType)),
    { key: 'priority', title: t('priority'), end: true, render: ({ priority }) => priority },
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
      <PageHead title={t('rate.title')} help={t('rate.help')}>
        {add}
      </PageHead>
      <ResourceTable
        label={t('rate.title')}
        list="rate-rules"
        call={rules}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ urlRegex }) => urlRegex}
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
          <Empty title={t('rate.empty')} action={add}>
            {t('rate.emptyText')}
          </Empty>
        }
      />
      {(edit === 'new' || opened) && (
        <RateRuleForm key={edit} siteId={siteId} rule={opened} save={save} onClose={close} />
      )}
    </>
  )
}
