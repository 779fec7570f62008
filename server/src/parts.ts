/**
 * The parts of a site's document, in the order in which they are restored and rendered: each may use those before it.
 */
import { authGroupsPart } from './authentication/auth-groups-part.ts'
import { authRulesPart } from './authentication/auth-rules.ts'
import { acmePart, certificateBindingsPart, certificatesPart } from './certificates/certificates-part.ts'
import { originCertificateSettings } from './certificates/origin-certificate.ts'
import { tlsSiteSettings } from './certificates/tls-settings.ts'
import { bandwidthLimitsPart } from './delivery/bandwidth-limits-part.ts'
import { basicSettingsPart } from './delivery/basic-settings.ts'
import { cacheRulesPart } from './delivery/cache-rules-part.ts'
import { cacheStatusSettings } from './delivery/cache-status.ts'
import { compressionSettings } from './delivery/compression.ts'
import { errorPagesParts } from './delivery/error-pages.ts'
import { originHealthSettings } from './delivery/origin-health.ts'
import { originTimeoutsSettings } from './delivery/origin-timeouts.ts'
import { originTlsSettings } from './delivery/origin-tls.ts'
import { requestHandlingSettings } from './delivery/request-handling.ts'
import { domainsPart } from './domains/domains-part.ts'
import { siteDnsSettings } from './domains/site-dns.ts'
import { frequenciesPart } from './firewall/frequencies.ts'
import { domainFirewallParts, firewallParts } from './firewall/rule-parts.ts'
import { siteModeSettings } from './firewall/site-mode.ts'
import { moduleBindingsPart, modulesPart } from './modules/parts.ts'
import { sitePortsPart } from './node-configuration/site-ports.ts'
import type { Parts } from './publish/part.ts'
import { sitePart } from './publish/site-part.ts'
import { apiShieldSettings } from './shield/api-shield.ts'
import { originCredentialSettings } from './sites/origin-credential.ts'

export const parts: Parts = [
  sitePart,
  basicSettingsPart,
  originCredentialSettings.part,
  originTimeoutsSettings.part,
  originTlsSettings.part,
  originCertificateSettings.part,
  originHealthSettings.part,
  requestHandlingSettings.part,
  cacheStatusSettings.part,
  compressionSettings.part,
  tlsSiteSettings.part,
  siteDnsSettings.part,
  sitePortsPart,
  ...errorPagesParts,
  frequenciesPart,
  ...firewallParts,
  siteModeSettings.part,
  apiShieldSettings.part,
  cacheRulesPart,
  bandwidthLimitsPart,
  modulesPart,
  domainsPart,
  moduleBindingsPart,
  certificatesPart,
  certificateBindingsPart,
  acmePart,
  ...domainFirewallParts,
  authGroupsPart,
  authRulesPart,
] as Parts
