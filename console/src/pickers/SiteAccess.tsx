/** How to reach a site before its DNS points here: the preview URL, and a command for any machine. */
import type { Domain } from '@breakwater/contract/domains/domains.ts'
import type { SiteDetail } from '@breakwater/contract/sites/sites.ts'
import { CopyText } from '../kit/CopyText.tsx'
import { OutLink } from '../kit/Link.tsx'
import { Panel } from '../kit/Panel.tsx'
import { usePhrases } from '../platform/phrases.ts'

const defaultHttpPort = 80
const isLoopback = (address: string) => address.startsWith('127.') || address === '::1'

/** Returns the preview URL; a wildcard domain is previewed on the preview host. */
export function previewUrl({ preview }: SiteDetail): string {
  return `http://${preview.host}${preview.httpPort === defaultHttpPort ? '' : `:${preview.httpPort}`}/`
}

type Props = { site: SiteDetail; domain: Pick<Domain, 'name' | 'ownership'> | undefined }

export function SiteAccess({ site, domain }: Props) {
  const t = usePhrases('sites')
  const { preview } = site
  const isPending = domain?.ownership.state === 'pending'
  // A domain is not served before its ownership is proven; until then, the preview host is.
  const host = domain && !isPending ? domain.name.replace(/^\*\./, 'www.') : preview.host
  const port = preview.httpPort
  const curl = `curl -i --resolve ${host}:${port}:${preview.nodeAddress} http://${host}${port === defaultHttpPort ? '' : `:${port}`}/`
  return (
    <Panel title={t('preview.title')}>
      <p className="mb-1 text-ink-2">{t('preview.here')}</p>
      <p className="mb-3 break-all">
        <OutLink href={previewUrl(site)}>{previewUrl(site)}</OutLink>
      </p>
      {/* A loopback address of the node is useless on another machine. */}
      <p className="mb-1 text-ink-2">{t(isLoopback(preview.nodeAddress) ? 'preview.onNode' : 'preview.elsewhere')}</p>
      <CopyText text={curl} block />
    </Panel>
  )
}
