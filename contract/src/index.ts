/** The whole API as one value. The only barrel of the repository. */
import { accounts } from './account/accounts.ts'
import { account } from './account/self.ts'
import { savedViews } from './account/views.ts'
import { accountZones } from './account/zones.ts'
import { announcements, shownAnnouncements } from './announcements/announcements.ts'
import { auditLog } from './audit/audit.ts'
import { apiTokens } from './auth/api-tokens.ts'
import { invitation } from './auth/invitation.ts'
import { permissionCalls } from './auth/permissions.ts'
import { passkeys, secondStep } from './auth/second-step.ts'
import { sessionCalls } from './auth/sessions.ts'
import { signIn } from './auth/sign-in.ts'
import { singleSignOn, ssoSettings } from './auth/single-sign-on.ts'
import { authGroups, basicAuths, jwtAuths, keyAuths } from './authentication/auth-groups.ts'
import { authRules, authSetting } from './authentication/auth-rules.ts'
import { jwks } from './authentication/jwks.ts'
import { passwordFile } from './authentication/password-file.ts'
import { blockIPs } from './bans/block-ips.ts'
import { brands } from './brand/brand.ts'
import { acme, googleTrust, zeroSSL } from './certificates/authorities.ts'
import { automaticCertificates } from './certificates/automatic.ts'
import { certificates } from './certificates/certificates.ts'
import { tlsSettings } from './certificates/tls-settings.ts'
import { dashboards } from './dashboard/dashboard.ts'
import { bandwidthLimits } from './delivery/bandwidth-limits.ts'
import { basicSettings } from './delivery/basic-settings.ts'
import { cache, cacheRules } from './delivery/cache-rules.ts'
import { cacheSimulation } from './delivery/cache-simulation.ts'
import { cacheStatus } from './delivery/cache-status.ts'
import { compression } from './delivery/compression.ts'
import { operatorErrorPages, siteErrorPages } from './delivery/error-pages.ts'
import { originCertificate } from './delivery/origin-certificate.ts'
import { originHealth } from './delivery/origin-health.ts'
import { originTimeouts } from './delivery/origin-timeouts.ts'
import { originTls } from './delivery/origin-tls.ts'
import { preheat, preheatSitemap, zonePreheat } from './delivery/preheat.ts'
import { requestHandling } from './delivery/request-handling.ts'
import { requestTrace } from './delivery/request-trace.ts'
import { dnsSettings, dnsTest } from './dns/dns-settings.ts'
import { dnsRecords, siteDns, siteDnsPlan } from './dns/site-dns.ts'
import { bulkDomains, domainChecks } from './domains/bulk.ts'
import { domainDirectory } from './domains/directory.ts'
import { domainTls } from './domains/domain-tls.ts'
import { domains } from './domains/domains.ts'
import { addressReputation } from './firewall/address-reputation.ts'
import { apiShield, apiShieldDocument } from './firewall/api-shield.ts'
import { attacks } from './firewall/attacks.ts'
import { backtest } from './firewall/backtest.ts'
import { domainKinds } from './firewall/domain-kinds.ts'
import { frequencies } from './firewall/frequencies.ts'
import { firewallCalls, firewallLists } from './firewall/kinds.ts'
import { reputationSettings } from './firewall/reputation.ts'
import { siteMode, siteModeExists, siteModeState } from './firewall/site-mode.ts'
import { siteImport } from './import/site-import.ts'
import { installedLicense } from './licenses/installed.ts'
import { licenseCheck, licenses } from './licenses/licenses.ts'
import { accessLog } from './logs/access.ts'
import { logExplorer } from './logs/explorer.ts'
import { wafLog } from './logs/waf.ts'
import { mailSettings } from './messages/mail-settings.ts'
import { operatorNotify, userNotify } from './messages/notify.ts'
import { messageSettings } from './messages/settings.ts'
import { cors } from './modules/cors.ts'
import { customHeaders } from './modules/custom-headers.ts'
import { luaAcls } from './modules/lua-acls.ts'
import { proxyRewrites } from './modules/proxy-rewrites.ts'
import { tokenAuths } from './modules/token-auths.ts'
import { urlRedirects } from './modules/url-redirects.ts'
import { waf } from './modules/waf.ts'
import { wafSimulation } from './modules/waf-simulation.ts'
import { addressData } from './nodes/address-data.ts'
import { nodes } from './nodes/nodes.ts'
import { observedRules } from './nodes/observed-rules.ts'
import { originAuthorities } from './nodes/origin-authorities.ts'
import { rollouts } from './nodes/rollouts.ts'
import { ruleSetPublishers } from './nodes/rule-set-publishers.ts'
import { ruleSets, wafShadow, zoneRuleSet, zoneShadow } from './nodes/rule-sets.ts'
import { zoneBans } from './nodes/zone-bans.ts'
import { verifiedBots } from './nodes/zone-bots.ts'
import { zoneConfiguration } from './nodes/zone-configuration.ts'
import {
  invalidDomainLimitCountSettings,
  kernelBans,
  zoneAntiCC,
  zoneFirewall,
  zoneIpset,
  zoneIpsetCalls,
} from './nodes/zone-firewall.ts'
import { sitePorts, zonePorts } from './nodes/zone-ports.ts'
import {
  forceSSLRedirectCodeSettings,
  headLimits,
  http2Settings,
  http3Settings,
  nodeStorage,
  tlsLimitCountSettings,
  trustedProxies,
} from './nodes/zone-settings.ts'
import { zoneTrial } from './nodes/zone-trial.ts'
import { products } from './products/products.ts'
import { roles } from './roles/roles.ts'
import { history } from './sites/history.ts'
import { operatorSites } from './sites/operator-sites.ts'
import { originCredential } from './sites/origin-credential.ts'
import { siteTags } from './sites/site-tags.ts'
import { siteUsers } from './sites/site-users.ts'
import { sites } from './sites/sites.ts'
import { statistics } from './statistics/statistics.ts'
import { wafStatistics } from './statistics/waf.ts'
import { system } from './system/health.ts'
import { signInPolicy } from './system/sign-in-policy.ts'
import { zones } from './zones/zones.ts'

/** Every kind of rule list of a site. */
export const ruleLists = { ...firewallLists, cacheRules, bandwidthLimits, authRules }
/** Every kind of rule list of a domain. */
export const domainRuleLists = domainKinds
/** The credentials that groups of edge authentication accept, by type. */
export const authGroupLists = { basic: basicAuths, key: keyAuths, jwt: jwtAuths }

export const api = {
  signIn,
  permissionCalls,
  invitation,
  apiTokens,
  sessionCalls,
  secondStep,
  passkeys,
  singleSignOn,
  ssoSettings,
  signInPolicy,
  account,
  roles,
  accounts,
  savedViews,
  accountZones,
  auditLog,
  mailSettings: mailSettings.calls,
  messageSettings,
  userNotify,
  operatorNotify,
  licenses,
  licenseCheck,
  installedLicense,
  sites,
  siteImport,
  operatorSites,
  siteTags,
  siteUsers,
  history,
  originCredential: originCredential.calls,
  originTimeouts: originTimeouts.calls,
  originTls: originTls.calls,
  originCertificate: originCertificate.calls,
  originHealth: originHealth.calls,
  basicSettings: basicSettings.calls,
  requestHandling: requestHandling.calls,
  cacheStatus: cacheStatus.calls,
  domains,
  domainTls,
  certificates,
  automaticCertificates,
  tlsSettings: tlsSettings.calls,
  acme: acme.calls,
  dnsSettings: dnsSettings.calls,
  dnsTest,
  dnsRecords,
  siteDns: siteDns.calls,
  siteDnsPlan,
  zeroSSL: zeroSSL.calls,
  googleTrust: googleTrust.calls,
  antiHeaders: domainKinds.antiHeaders.calls,
  antiReferers: domainKinds.antiReferers.calls,
  bulkDomains,
  domainChecks,
  domainDirectory,
  ...firewallCalls,
  backtest,
  siteMode: siteMode.calls,
  siteModeExists,
  siteModeState,
  apiShield: apiShield.calls,
  apiShieldDocument,
  frequencies,
  reputationSettings: reputationSettings.calls,
  addressReputation,
  authRules: authRules.calls,
  authSetting,
  authGroups,
  jwks,
  passwordFile,
  basicAuths: basicAuths.calls,
  keyAuths: keyAuths.calls,
  jwtAuths: jwtAuths.calls,
  blockIPs,
  cacheRules: cacheRules.calls,
  cache,
  preheat,
  preheatSitemap,
  cacheSimulation,
  requestTrace,
  compression: compression.calls,
  bandwidthLimits: bandwidthLimits.calls,
  siteErrorPages,
  operatorErrorPages,
  cors: cors.calls,
  customHeaders: customHeaders.calls,
  urlRedirects: urlRedirects.calls,
  proxyRewrites: proxyRewrites.calls,
  luaAcls: luaAcls.calls,
  tokenAuths: tokenAuths.calls,
  waf: waf.calls,
  wafSimulation,
  attacks,
  accessLog,
  wafLog,
  wafStatistics,
  logExplorer,
  statistics,
  dashboards,
  brands,
  announcements,
  shownAnnouncements,
  nodes,
  zones,
  products,
  rollouts,
  zoneConfiguration,
  zonePorts,
  zonePreheat,
  sitePorts,
  http2Settings: http2Settings.calls,
  http3Settings: http3Settings.calls,
  forceSSLRedirectCodeSettings: forceSSLRedirectCodeSettings.calls,
  tlsLimitCountSettings: tlsLimitCountSettings.calls,
  zoneIpsetCalls,
  zoneAntiCC: zoneAntiCC.calls,
  invalidDomainLimitCountSettings: invalidDomainLimitCountSettings.calls,
  zoneFirewall,
  zoneTrial,
  kernelBans: kernelBans.calls,
  zoneBans,
  verifiedBots: verifiedBots.calls,
  headLimits: headLimits.calls,
  trustedProxies: trustedProxies.calls,
  originAuthorities: originAuthorities.calls,
  ruleSets,
  zoneRuleSet: zoneRuleSet.calls,
  observedRules,
  zoneShadow: zoneShadow.calls,
  ruleSetPublishers: ruleSetPublishers.calls,
  addressData,
  wafShadow,
  nodeStorage: nodeStorage.calls,
  system,
}

/** Every group of settings. */
export const settingsGroups = [
  mailSettings,
  basicSettings,
  acme,
  dnsSettings,
  zeroSSL,
  googleTrust,
  tlsSettings,
  originCredential,
  originTimeouts,
  originTls,
  originCertificate,
  originHealth,
  requestHandling,
  cacheStatus,
  siteDns,
  siteMode,
  apiShield,
  reputationSettings,
  compression,
  http2Settings,
  http3Settings,
  forceSSLRedirectCodeSettings,
  tlsLimitCountSettings,
  zoneIpset,
  zoneAntiCC,
  invalidDomainLimitCountSettings,
  kernelBans,
  verifiedBots,
  headLimits,
  trustedProxies,
  originAuthorities,
  zoneRuleSet,
  zoneShadow,
  ruleSetPublishers,
  nodeStorage,
] as const
