/** Inside a site: why a request of it was refused, and what would happen to one. What one comes from, and goes on to, is of that site. */
import { ExplainScreen } from './ExplainScreen.tsx'
import { TracePanel } from './TracePanel.tsx'

export const SiteExplain = ({ siteId }: { siteId: number }) => (
  <ExplainScreen siteId={siteId}>
    <TracePanel key={siteId} siteId={siteId} />
  </ExplainScreen>
)
