/** The operator's licence: what it allows, how much of it is used, and a field for a new key. */
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { installedLicense } from '@breakwater/contract/licenses/installed.ts'
import { Button } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { CopyText } from '../kit/CopyText.tsx'
import { Empty } from '../kit/Empty.tsx'
import { Failed, showFault } from '../kit/faults.tsx'
import { Meter } from '../kit/Meter.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { Fact, Facts, Panel } from '../kit/Panel.tsx'
import { Status } from '../kit/Status.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'
import { InstallKey } from './InstallKey.tsx'

type State = Reply<typeof installedLicense.get>
type License = NonNullable<State['license']>
const tones = { active: 'ok', expired: 'warn', revoked: 'bad' } as const

export function InstalledLicenseScreen() {
  const t = usePhrases('licenses')
  const mayWrite = useMay()('license.write')
  const call = useCall(installedLicense.get, {})
  return (
    <>
      <PageHead title={t('installed.title')} help={t('installed.help')} />
      {call.isError && !call.data && <Failed fault={call.error} retry={() => call.refetch()} />}
      {call.isPending && <div className="skeleton appear-late h-60 max-w-[880px]" />}
      {call.data && (
        <div className="grid max-w-[880px] gap-4">
          {call.data.license ? (
            <Held state={call.data} license={call.data.license} mayWrite={mayWrite} />
          ) : (
            <Panel className="py-8 text-center">
              <Empty title={t('installed.none')}>{t('installed.noneText')}</Empty>
            </Panel>
          )}
          <Panel title={t('installed.own')}>
            <CopyText text={call.data.installation} />
          </Panel>
          {mayWrite && (
            <Panel title={t(call.data.license ? 'installed.replace' : 'installed.install')}>
              <InstallKey key={call.data.license?.issuedAt ?? 'none'} replaces={call.data.license !== null} />
            </Panel>
          )}
        </div>
      )}
    </>
  )
}

function Held({ state, license, mayWrite }: { state: State; license: License; mayWrite: boolean }) {
  const t = usePhrases('licenses')
  const format = useFormat()
  const check = useChange(installedLicense.sync, installedLicense.get)
  const remove = useChange(installedLicense.remove, installedLicense.get)
  return (
    <>
      {license.status !== 'active' && (
        <p role="alert" className="rounded-panel border border-bad bg-bad-bg px-4 py-3">
          {t('installed.over')}
        </p>
      )}
      <Panel
        title={license.holder}
        aside={
          mayWrite && (
            <>
              {license.kind === 'online' && state.server && (
                <Button
                  size="sm"
                  busy={check.isPending}
                  onClick={() => check.mutate({ query: {}, body: {} }, { onError: showFault })}
                >
                  {t('installed.check')}
                </Button>
              )}
              <ConfirmButton
                size="sm"
                label={t('installed.remove')}
                title={t('installed.removeTitle')}
                consequence={t('installed.removeText')}
                confirmLabel={t('installed.remove')}
                onConfirm={async () => {
                  await remove.mutateAsync({})
                  toasts.done(t('installed.done'))
                }}
              />
            </>
          )
        }
      >
        <Facts>
          <Fact name={t('status')}>
            <Status tone={tones[license.status]}>{t(`status.${license.status}`)}</Status>
          </Fact>
          <Fact name={t('type')}>
            {t(`type.${license.type}`)} · {t(`installed.kind.${license.kind}`)}
          </Fact>
          <Fact name={t('expires')}>
            <span className="num">{format.moment(license.expiredAt)}</span>
          </Fact>
          {license.kind === 'online' && (
            <Fact name={t('installed.checked')}>
              {license.checkedAt ? format.ago(license.checkedAt) : t('installed.neverChecked')}
            </Fact>
          )}
          <Fact name={t('installed.serial')}>
            <span className="mono">{license.serial}</span>
          </Fact>
        </Facts>
      </Panel>
      <Panel title={t('limits')}>
        <Used limits={license.limits} used={state.used} />
      </Panel>
    </>
  )
}

function Used({ limits, used }: { limits: License['limits']; used: State['used'] }) {
  const t = usePhrases('licenses')
  const format = useFormat()
  const names = ['nodes', 'zones', 'sites', 'domains', 'users', 'trafficBytes'] as const
  return (
    <Facts>
      {names.map((name) => {
        const show = name === 'trafficBytes' ? format.bytes : format.number
        const [limit, have] = [limits[name], used[name] ?? 0]
        return (
          <Fact key={name} name={t(name === 'trafficBytes' ? 'limit.traffic' : `limit.${name}`)}>
            {limit === null ? (
              <span className="num">
                {show(have)} <span className="text-ink-3">· {t('unlimited')}</span>
              </span>
            ) : (
              <Meter share={limit === 0 ? 1 : have / limit} text={`${show(have)} / ${show(limit)}`} />
            )}
          </Fact>
        )
      })}
    </Facts>
  )
}
