/** The uploaded rule sets of the WAF: test them, see which zones use them, remove them. */
import { type RuleSet, ruleSets } from '@breakwater/contract/nodes/rule-sets.ts'
import { Button } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { Empty } from '../kit/Empty.tsx'
import { showFault } from '../kit/faults.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { LeftOutList } from './RuleSetLeftOut.tsx'
import { RuleSetUpload } from './RuleSetUpload.tsx'

export function RuleSetList() {
  const t = usePhrases('configuration')
  const format = useFormat()
  const mayWrite = useMay()('zones.write')
  const call = useCall(ruleSets.list, {})
  const columns: Column<RuleSet>[] = [
    {
      key: 'name',
      title: t('ruleSet.name'),
      render: ({ name, fileName, hash, signer, leftOut, actor, createdAt }) => (
        <div className="min-w-0">
          <span className="font-medium">{name}</span>
          <p className="wrap-anywhere text-ink-3 text-xs">
            <span className="mono">{`${fileName} · ${hash.slice(0, 8)}`}</span>
            {` · ${actor} · ${format.moment(createdAt)}`}
          </p>
          <p className="wrap-anywhere text-ink-3 text-xs" title={signer?.fingerprint}>
            {signer
              ? t('ruleSet.signed', { name: signer.name, moment: format.moment(signer.signedAt) })
              : t('ruleSet.unsigned')}
          </p>
          {leftOut.length > 0 && (
            <details className="mt-1">
              <summary className="cursor-pointer text-xs">{t('ruleSet.leftOut', { count: leftOut.length })}</summary>
              <LeftOutList leftOut={leftOut} />
            </details>
          )}
        </div>
      ),
    },
    {
      key: 'levels',
      title: t('ruleSet.levels'),
      render: ({ levels }) => <span className="num">{levels.join(' / ')}</span>,
    },
    { key: 'trial', title: t('ruleSet.trial'), render: ({ trial }) => <Outcome trial={trial} /> },
    {
      key: 'zones',
      title: t('ruleSet.zones'),
      render: ({ zones }) => (zones.length > 0 ? zones.map(({ name }) => name).join(', ') : t('ruleSet.nowhere')),
    },
    ...(mayWrite
      ? [
          {
            key: 'act',
            title: '',
            end: true,
            render: (row: RuleSet) => <Actions row={row} />,
          } satisfies Column<RuleSet>,
        ]
      : []),
  ]
  return (
    <section className="mt-6">
      <h2 className="mb-2 font-semibold">{t('ruleSets')}</h2>
      <p className="mb-3 max-w-[760px] text-ink-2">{t('ruleSets.help')}</p>
      {mayWrite && <RuleSetUpload />}
      <ResourceTable
        label={t('ruleSets')}
        list="ruleSets"
        call={call}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        empty={<Empty title={t('ruleSets.empty')}>{t('ruleSets.emptyText')}</Empty>}
      />
    </section>
  )
}

/** The result in the lab, next to that of the default rule set. */
function Outcome({ trial }: Pick<RuleSet, 'trial'>) {
  const t = usePhrases('configuration')
  if (!trial) return <span className="text-ink-3">{t('ruleSet.notTried')}</span>
  const { benign, refused, refusedBefore, attacks, found, foundBefore, examples } = trial
  return (
    <div>
      <p className={refused > refusedBefore ? 'text-bad' : undefined}>
        {t('ruleSet.benign', { refused, benign, before: refusedBefore })}
      </p>
      <p className={found < foundBefore ? 'text-bad' : undefined}>
        {t('ruleSet.attacks', { found, attacks, before: foundBefore })}
      </p>
      {examples.length > 0 && (
        <details className="mt-1">
          <summary className="cursor-pointer text-xs">{t('ruleSet.examples')}</summary>
          <ul className="mt-1 text-xs">
            {examples.map(({ request, rules }) => (
              <li key={request} className="mono break-all">{`${rules.join(', ')}: ${request}`}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function Actions({ row: { id, name, zones } }: { row: RuleSet }) {
  const t = usePhrases('configuration')
  const trying = useChange(ruleSets.try, ruleSets.list)
  const remove = useChange(ruleSets.remove, ruleSets.list)
  return (
    <span className="flex flex-wrap justify-end gap-2">
      <Button
        size="sm"
        busy={trying.isPending}
        aria-label={t('ruleSet.tryOne', { name })}
        onClick={() => void trying.mutateAsync({ ruleSetId: id }).catch(showFault)}
      >
        {t('ruleSet.try')}
      </Button>
      {zones.length === 0 && (
        <ConfirmButton
          size="sm"
          look="danger"
          label={t('ports.remove')}
          ariaLabel={t('ruleSet.removeOne', { name })}
          title={t('ruleSet.removeOne', { name })}
          consequence={t('ruleSet.removeText')}
          confirmLabel={t('ports.remove')}
          onConfirm={() => remove.mutateAsync({ body: { ids: [id] } })}
        />
      )}
    </span>
  )
}
