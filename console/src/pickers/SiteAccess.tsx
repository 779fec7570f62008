/** How a site is reached before and after DNS points here: preview, curl line, CNAME. */
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

export function SiteAccess({ site, domain }: { site: SiteDetail; domain: string }) {
  const t = usePhrases('sites')
  const { preview } = site
  const host = domain.replace(/^\*\./, 'www.') || preview.host
  const port = preview.httpPort
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
      <Panel title={t('dns.title')}>
        <p className="mb-2 text-ink-2">{t('dns.text')}</p>
        <div className="space-y-2">
          <div>
            <p className="mb-1 text-ink-3 text-xs">{domain || '…'} CNAME</p>
            <CopyText text={preview.cname} block />
          </div>
        </div>
      </Panel>
    </div>
  )
}
