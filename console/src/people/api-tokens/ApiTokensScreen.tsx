/** The user's API tokens: their scope, when each was last used; create and revoke them. */
import { apiTokens } from '@breakwater/contract/auth/api-tokens.ts'
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { BulkByIds } from '../../kit/BulkConfirm.tsx'
import { Button, buttonClass } from '../../kit/Button.tsx'
import { cn } from '../../kit/cn.ts'
import { Empty } from '../../kit/Empty.tsx'
import { laterFloat } from '../../kit/later-float.tsx'
import { PageHead } from '../../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../../kit/ResourceTable.tsx'
import { Status } from '../../kit/Status.tsx'
import { send } from '../../platform/browser.ts'
import { useCall, useChange } from '../../platform/calls.ts'
import { useFormat } from '../../platform/format.ts'
import { useListState } from '../../platform/list-state.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { usePlaces } from '../../platform/places.ts'
import { ListSearch } from '../../platform/search-state.ts'
import { useMay } from '../../platform/session.ts'

const TokenForm = laterFloat('drawer', () => import('./TokenForm.tsx').then((file) => file.TokenForm))
type Token = Reply<typeof apiTokens.list>['data'][number]

export function ApiTokensScreen() {
  const t = usePhrases('people')
  const format = useFormat()
  const { tier } = usePlaces()
  const mayWrite = useMay()('apiTokens.write')
  const [state, go] = useListState('api-tokens', ListSearch)
  const { page, pageSize, edit } = state
  const call = useCall(apiTokens.list, { query: { page, pageSize } })
  const removing = useChange(apiTokens.remove, apiTokens.list)
  const columns: Column<Token>[] = [
    {
      key: 'name',
      title: t('name'),
      render: ({ name, memo }) => (
        <div className="min-w-0 py-2">
          <span className="font-medium">{name}</span>
          {memo && (
            <div className="max-w-[min(360px,22vw)] truncate text-ink-2 max-sm:max-w-full max-sm:whitespace-normal">
              {memo}
            </div>
          )}
        </div>
      ),
    },
    { key: 'token', title: t('token.token'), render: ({ token }) => <code className="mono text-ink-2">{token}</code> },
    {
      key: 'scope',
      title: t('token.scope'),
      render: ({ permissions, siteIDs }) => (
        <span className="text-ink-2">
          {permissions ? t('role.keys', { n: permissions.length }) : t('token.everything')} ·{' '}
          {siteIDs ? t('token.someSites', { n: siteIDs.length }) : t('token.allSites')}
        </span>
      ),
    },
    {
      key: 'cidrs',
      title: t('token.cidrs'),
      render: ({ cidrs }) => (
        <span className={cn('block max-w-[200px] truncate text-ink-2', cidrs.length > 0 && 'mono')}>
          {cidrs.join(', ') || t('token.anywhere')}
        </span>
      ),
    },
    {
      key: 'expiredAt',
      title: t('token.expires'),
      render: ({ expiredAt }) => {
        if (!expiredAt) return <span className="text-ink-3">{t('token.never')}</span>
        if (new Date(expiredAt).getTime() < Date.now()) return <Status tone="bad">{t('token.expired')}</Status>
        return (
          <span className="num" title={format.moment(expiredAt)}>
            {format.day(expiredAt)}
          </span>
        )
      },
    },
    {
      key: 'lastUsedAt',
      title: t('token.lastUsed'),
      render: ({ lastUsedAt }) => (
        <span className="text-ink-3">{lastUsedAt ? format.ago(lastUsedAt) : t('token.unused')}</span>
      ),
    },
  ]
  const add = mayWrite && (
    <Button look="solid" onClick={() => go({ edit: 'new' })}>
      {t('token.new')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('token.title')} help={t('token.help')}>
        <a
          className={buttonClass({}, 'hover:no-underline')}
          href={`/api/v1/docs/${tier}`}
          target="_blank"
          rel="noreferrer"
        >
          {t('token.apiDoc')}
        </a>
        {add}
      </PageHead>
      <ResourceTable
        label={t('token.title')}
        list="api-tokens"
        call={call}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        state={state}
        go={go}
        readPage={(at, size) => send(apiTokens.list, { query: { page: at, pageSize: size } })}
        bulk={
          mayWrite
            ? (chosen, clear, run) => (
                <BulkByIds
                  label={t('token.revoke')}
                  title={t('token.revokeTitle', { n: chosen.length })}
                  consequence={t('token.revokeText')}
                  rows={chosen}
                  rowName={({ name }) => name}
                  act={(ids) => removing.mutateAsync({ body: { ids } })}
                  run={run}
                  clear={clear}
                  done={t('token.revoked')}
                />
              )
            : undefined
        }
        empty={
          <Empty title={t('token.empty')} action={add}>
            {t('token.emptyText')}
          </Empty>
        }
      />
      {edit === 'new' && <TokenForm onClose={() => go({ edit: undefined })} />}
    </>
  )
}
