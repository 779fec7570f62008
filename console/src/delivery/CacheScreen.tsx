/** Cache rules of a site, and purging. */
import { CacheRule, cacheRules } from '@breakwater/contract/delivery/cache-rules.ts'
import type { StoredRule } from '@breakwater/contract/rule-list.ts'
import { useState } from 'react'
import { useCall, useChange } from '../app/calls.ts'
import { useFormat } from '../app/format.ts'
import { useListState } from '../app/list-state.ts'
import { usePhrases } from '../app/phrases.ts'
import { ListSearch } from '../app/search-state.ts'
import { useMay } from '../app/session.ts'
import { Button } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { Empty } from '../kit/Empty.tsx'
import { showFault } from '../kit/faults.tsx'
import { later } from '../kit/later.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { RowName } from '../kit/RowName.tsx'
import { Switch } from '../kit/Toggle.tsx'
import { toasts } from '../kit/toasts.ts'
import { PurgeProgress } from './PurgeProgress.tsx'

const CacheRuleForm = later(() => import('./CacheRuleForm.tsx').then((file) => file.CacheRuleForm))
const PurgeDrawer = later(() => import('./PurgeDrawer.tsx').then((file) => file.PurgeDrawer))

type Rule = StoredRule<CacheRule>
const { list, create, update, remove } = cacheRules.calls

export function CacheScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('delivery')
  const format = useFormat()
  const may = useMay()
  const mayWrite = may('cache.write')
  const [isPurging, setPurging] = useState(false)
  const [taskId, setTaskId] = useState<number>()
  const [state, go] = useListState('cache-rules', ListSearch)
  const { page, pageSize, edit } = state
  const rules = useCall(list, { siteId, query: { page, pageSize } })
  const adding = useChange(create, list)
  const changing = useChange(update, list)
  const removing = useChange(remove, list)

  const opened = rules.data?.data.find(({ id }) => id === edit)
  const save = (body: CacheRule) =>
    opened ? changing.mutateAsync({ siteId, body: { ...body, id: opened.id } }) : adding.mutateAsync({ siteId, body })
  const enable = (rule: Rule, enabled: boolean) =>
    changing.mutate({ siteId, body: { ...CacheRule.parse(rule), enabled, id: rule.id } }, { onError: showFault })
  const ttlText = (ttl: number) => (ttl === 0 ? t('ttl.none') : format.duration(ttl))

  const columns: Column<Rule>[] = [
    {
      key: 'rule',
      title: t('type'),
      render: ({ id, type, values }) => (
        <RowName name={t(`type.${type}`)} onOpen={() => go({ edit: id })}>
          {values.length > 0 && <span className="mono">{values.join(', ')}</span>}
        </RowName>
      ),
    },
    { key: 'ttl', title: t('ttl'), end: true, render: ({ ttl }) => ttlText(ttl) },
    { key: 'ignoreQuery', title: t('ignoreQuery'), render: ({ ignoreQuery }) => (ignoreQuery ? '✓' : '') },
    { key: 'priority', title: t('priority'), end: true, render: ({ priority }) => priority },
    { key: 'memo', title: t('memo'), render: ({ memo }) => <span className="text-ink-2">{memo}</span> },
    {
      key: 'enabled',
      title: t('enabled'),
      render: (rule) => (
        <Switch
          aria-label={t('enable')}
          checked={rule.enabled}
          disabled={!mayWrite}
          onCheckedChange={(on) => enable(rule, on)}
        />
      ),
    },
  ]
  const add = mayWrite && (
    <Button look="solid" onClick={() => go({ edit: 'new' })}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('title')} help={t('help')}>
        {may('cache.purge') && <Button onClick={() => setPurging(true)}>{t('purge')}</Button>}
        {add}
      </PageHead>
      {taskId !== undefined && <PurgeProgress siteId={siteId} taskId={taskId} />}
      <ResourceTable
        label={t('title')}
        list="cache-rules"
        call={rules}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ type, values }) => `${t(`type.${type}`)} ${values.join(' ')}`}
        state={state}
        go={go}
        onOpen={({ id }) => go({ edit: id })}
        bulk={
          mayWrite
            ? (chosen, clear) => (
                <ConfirmButton
                  size="sm"
                  label={t('remove.label')}
                  title={t('remove.title', { n: chosen.length })}
                  consequence={t('remove.text')}
                  confirmLabel={t('remove.label')}
                  onConfirm={async () => {
                    await removing.mutateAsync({ siteId, body: { ids: chosen.map(({ id }) => id) } })
                    toasts.done(t('removed'))
                    clear()
                  }}
                />
              )
            : undefined
        }
        empty={
          <Empty title={t('empty')} action={add}>
            {t('emptyText')}
          </Empty>
        }
      />
      {(edit === 'new' || opened) && (
        <CacheRuleForm key={edit} rule={opened} save={save} onClose={() => go({ edit: undefined })} />
      )}
      {isPurging && <PurgeDrawer siteId={siteId} onClose={() => setPurging(false)} onStarted={setTaskId} />}
    </>
  )
}
