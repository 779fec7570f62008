/** Body rules of a site. */
import { BodyRule, bodyRules } from '@breakwater/contract/firewall/body-rules.ts'
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

const BodyRuleForm = later(() => import('./BodyRuleForm.tsx').then((file) => file.BodyRuleForm))

type Rule = StoredRule<BodyRule>
const { list, create, update, remove } = bodyRules.calls

export function BodyRulesScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('firewall')
  const format = useFormat()
  const mayWrite = useMay()('firewall.write')
  const [state, go] = useListState('body-rules', ListSearch)
  const { page, pageSize, edit } = state
  const rules = useCall(list, { siteId, query: { page, pageSize } })
  const adding = useChange(create, list)
  const changing = useChange(update, list)
  const removing = useChange(remove, list)

  const opened = rules.data?.data.find(({ id }) => id === edit)
  const save = (body: BodyRule) =>
    opened ? changing.mutateAsync({ siteId, body: { ...body, id: opened.id } }) : adding.mutateAsync({ siteId, body })
  const enable = useEnabling<Rule>((rule, enabled) =>
    changing.mutateAsync({ siteId, body: { ...BodyRule.parse(rule), enabled, id: rule.id } }),
  )

  const columns: Column<Rule>[] = [
    {
      key: 'rule',
      title: t('rule'),
      render: ({ id, urlRegex, methodValues, contains }) => (
        <RowName name={urlRegex} mono onOpen={() => go({ edit: id })}>
          {t('body.sentence', { methods: methodValues.join(', '), text: contains })}
        </RowName>
      ),
    },
    actionColumn(t, () => t('action.block')),
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
      <PageHead title={t('body.title')} help={t('body.help')}>
        {add}
      </PageHead>
      <ResourceTable
        label={t('body.title')}
        list="body-rules"
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
          <Empty title={t('body.empty')} action={add}>
            {t('body.emptyText')}
          </Empty>
        }
      />
      {(edit === 'new' || opened) && (
        <BodyRuleForm key={edit} rule={opened} save={save} onClose={() => go({ edit: undefined })} />
      )}
    </>
  )
}
