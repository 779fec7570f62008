/** One row by its link: as facts or as JSON, and the actions on it. */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import { logExplorer } from '@breakwater/contract/logs/explorer.ts'
import { readWaf } from '@breakwater/contract/modules/waf-exceptions.ts'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, buttonClass } from '../kit/Button.tsx'
import { CopyButton } from '../kit/CopyText.tsx'
import { Drawer } from '../kit/Dialog.tsx'
import { Empty } from '../kit/Empty.tsx'
import { Failed } from '../kit/faults.tsx'
import { Link } from '../kit/Link.tsx'
import { Menu, MenuItem } from '../kit/Menu.tsx'
import { Segments } from '../kit/Toggle.tsx'
import { useCall } from '../platform/calls.ts'
import { useExplainPlace } from '../platform/explain-place.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useMay } from '../platform/session.ts'
import { type OnFilter, RowFacts } from './RowFacts.tsx'

type Props = { id: string; onClose: () => void; onFilter: OnFilter }

export function RowDrawer({ id, onClose, onFilter }: Props) {
  const t = usePhrases('logs')
  const call = useCall(logExplorer.row, { query: { id } })
  const row = call.data
  if (row) return <Found row={row} onClose={onClose} onFilter={onFilter} />
  return (
    <Drawer title={t('detail')} onClose={onClose}>
      {call.isError ? (
        call.error.status === 403 || call.error.status === 400 ? (
          <Empty title={t('detail.gone')}>{t('detail.goneText')}</Empty>
        ) : (
          <Failed fault={call.error} retry={() => call.refetch()} />
        )
      ) : (
        <div className="skeleton appear-late h-60" />
      )}
    </Drawer>
  )
}

function Found({ row, onClose, onFilter }: { row: AccessLogRow; onClose: () => void; onFilter: OnFilter }) {
  const t = usePhrases('logs')
  const places = usePlaces()
  const placeOf = useExplainPlace()
  const may = useMay()
  const [form, setForm] = useState<'facts' | 'json'>('facts')
  const json = JSON.stringify(row, undefined, 2)
  const link = `${location.origin}${places.logs}?view=search&row=${encodeURIComponent(row.id)}`
  return (
    <Drawer
      title={`${row.method} ${row.url}`}
      onClose={onClose}
      aside={
        <Segments
          label={t('detail.form')}
          value={form}
          onChange={setForm}
          options={[
            { value: 'facts', label: t('detail.facts') },
            { value: 'json', label: 'JSON' },
          ]}
        />
      }
      footer={
        <>
          {may('logs.explain') && (
            <Link
              {...placeOf(row.reqID, row.siteID)}
              className={buttonClass({ look: 'solid' }, 'hover:no-underline hover:text-on-solid')}
            >
              {t('detail.explain')}
            </Link>
          )}
          {readWaf(row.waf).matches.length > 0 && may('modules.write') && <AllowHere row={row} />}
          {may('firewall.write') && <MakeRule row={row} />}
          <span className="ml-auto flex items-center gap-1 text-ink-3 text-xs">
            {t('detail.link')} <CopyButton text={link} label={t('detail.copyLink')} />
            JSON <CopyButton text={json} label={t('detail.copyJson')} />
          </span>
        </>
      }
    >
      {form === 'facts' ? (
        <RowFacts row={row} onFilter={onFilter} />
      ) : (
        <pre className="mono whitespace-pre-wrap break-all rounded-[6px] bg-sunken p-3">{json}</pre>
      )}
    </Drawer>
  )
}

/** Link to the WAF of the row's site, with the exception filled in. */
function AllowHere({ row }: { row: AccessLogRow }) {
  const t = usePhrases('logs')
  const places = usePlaces()
  const { data } = useCall(sites.meta, {})
  const site = data?.data.find(({ siteID }) => siteID === row.siteID)
  if (!site) return null
  return (
    <Link
      to={places.site(site.siteID, site.siteName)}
      search={{ tab: 'waf', allow: row.id } as never}
      className={buttonClass({}, 'hover:no-underline')}
    >
      {t('detail.allowHere')}
    </Link>
  )
}

/** Link to the rule form of the row's site, prefilled with the row's address or page. */
function MakeRule({ row }: { row: AccessLogRow }) {
  const t = usePhrases('logs')
  const places = usePlaces()
  const navigate = useNavigate()
  const { data } = useCall(sites.meta, {})
  const site = data?.data.find(({ siteID }) => siteID === row.siteID)
  if (!site) return null
  const path = row.url.split('?')[0]!
  const go = (tab: string, rule: object) =>
    void navigate({ to: places.site(site.siteID, site.siteName), search: { tab, edit: 'new', rule } as never })
  return (
    <Menu align="start" trigger={<Button>{t('detail.rule')}</Button>}>
      <MenuItem onClick={() => go('denyList', { ips: [row.clientIP] })}>
        {t('detail.deny', { ip: row.clientIP })}
      </MenuItem>
      <MenuItem onClick={() => go('allowList', { ips: [row.clientIP] })}>
        {t('detail.allow', { ip: row.clientIP })}
      </MenuItem>
      <MenuItem onClick={() => go('rateRules', { urlRegex: `^${path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$` })}>
        {t('detail.rate')}
      </MenuItem>
    </Menu>
  )
}
