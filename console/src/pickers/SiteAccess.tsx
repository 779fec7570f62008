/** How a site is reached before and after DNS points here: preview, curl line, CNAME. */
import type { Domain } from '@breakwater/contract/domains/domains.ts'
import type { SiteDetail } from '@breakwater/contract/sites/sites.ts'
import { usePhrases } from '../app/phrases.ts'
import { CopyText } from '../kit/CopyText.tsx'
import { OutLink } from '../kit/Link.tsx'
import { Panel } from '../kit/Panel.tsx'

const defaultHttpPort = 80

/** The preview's address; a wildcard is previewed by its own host. */
export function previewUrl({ preview }: SiteDetail): string {
  return `http://${preview.host}${preview.httpPort === defaultHttpPort ? '' : `:${preview.httpPort}`}/`
}

type Props = { site: SiteDetail; domain: Pick<Domain, 'name' | 'ownership'> | undefined }

export function SiteAccess({ site, domain }: Props) {
  const t = usePhrases('sites')
  const { preview } = site
  const isPending = domain?.ownership.state === 'pending'
  // A domain whose owner is not proven is not served; until then the preview's name is.
  const host = domain && !isPending ? domain.name.replace(/^\*\./, 'www.') : preview.host
  const port = preview.httpPort
  // Without a DNS zone of the operator's there is no name to point at, only the node's address.
  const address = { type: preview.nodeAddress.includes(':') ? 'AAAA' : 'A', value: preview.nodeAddress }
  const record = preview.cname ? { type: 'CNAME', value: preview.cname } : address
  const curl = `curl -i --resolve ${host}:${port}:${preview.nodeAddress} http://${host}${port === defaultHttpPort ? '' : `:${port}`}/`
  return (
    <div className="grid gap-3 lg:grid-cols-2">
      <Panel title={t('preview.title')}>
        <p className="mb-1 text-ink-2">{t('preview.here')}</p>
        <p className="mb-3 break-all">
          <OutLink href={previewUrl(site)}>{previewUrl(site)}</OutLink>
        </p>
        <p className="mb-1 text-ink-2">{t('preview.elsewhere')}</p>
        <CopyText text={curl} block />
      </Panel>
      {domain && (
        <Panel title={t('dns.title')}>
          <p className="mb-2 text-ink-2">{t('dns.text')}</p>
          <div className="space-y-2">
            <div>
              <p className="mb-1 text-ink-3 text-xs">
                {domain.name} {record.type}
              </p>
              <CopyText text={record.value} block />
            </div>
            {isPending && (
              <div>
                <p className="mt-3 font-semibold">{t('dns.own')}</p>
                <p className="mt-1 mb-2 text-ink-2">{t('dns.ownText')}</p>
                <p className="mb-1 text-ink-3 text-xs">{domain.ownership.recordName} TXT</p>
                <CopyText text={domain.ownership.recordValue} block />
              </div>
            )}
          </div>
        </Panel>
      )}
    </div>
  )
}
