/** The features in order: each may use those before it. */
import { domainRuleLists, ruleLists } from '@breakwater/contract/index.ts'
import { cors } from '@breakwater/contract/modules/cors.ts'
import { customHeaders } from '@breakwater/contract/modules/custom-headers.ts'
import { proxyRewrites } from '@breakwater/contract/modules/proxy-rewrites.ts'
import { zoneShadow } from '@breakwater/contract/nodes/rule-sets.ts'
import { verifiedBots } from '@breakwater/contract/nodes/zone-bots.ts'
import { invalidDomainLimitCountSettings, kernelBans, zoneAntiCC } from '@breakwater/contract/nodes/zone-firewall.ts'
import {
  forceSSLRedirectCodeSettings,
  headLimits,
  http2Settings,
  http3Settings,
  nodeStorage,
  tlsLimitCountSettings,
  trustedProxies,
} from '@breakwater/contract/nodes/zone-settings.ts'
import type { RuleList } from '@breakwater/contract/rule-list.ts'
import { accountZonesFeature } from './account/account-zones.ts'
import { accountsFeature } from './account/accounts.ts'
import { proxyFeature } from './account/proxy.ts'
import { accountFeature } from './account/self.ts'
import { savedViewsFeature } from './account/views.ts'
import { announcementsFeature } from './announcements/announcements.ts'
import { shownAnnouncementsFeature } from './announcements/shown.ts'
import { auditFeature } from './audit/audit.ts'
import { apiTokensFeature } from './auth/api-tokens.ts'
import { invitationFeature } from './auth/invitation.ts'
import { permissionsFeature } from './auth/permissions.ts'
import { secondStepFeature } from './auth/second-step.ts'
import { sessionsFeature } from './auth/session-calls.ts'
import { sessionRefreshFeature } from './auth/session-refresh.ts'
import { signInFeature } from './auth/sign-in.ts'
import { singleSignOnFeature } from './auth/single-sign-on.ts'
import { authGroupFeatures } from './authentication/auth-groups.ts'
import { authSettingFeature, requireAuthGroups } from './authentication/auth-rules.ts'
import { jwksFeature } from './authentication/jwks.ts'
import { passwordFileFeature } from './authentication/password-file.ts'
import { blockIPsFeature } from './bans/block-ips.ts'
import { brandsFeature } from './brand/brands.ts'
import { autoSslFeature } from './certificates/acme/auto-ssl.ts'
import { authoritySettingsFeature } from './certificates/acme/settings.ts'
import { automaticCertificatesFeature } from './certificates/automatic.ts'
import { certificatesFeature } from './certificates/certificates.ts'
import { originCertificateSettings } from './certificates/origin-certificate.ts'
import { tlsSiteSettings } from './certificates/tls-settings.ts'
import { dashboardFeature } from './dashboard/dashboard.ts'
import { basicSettingsFeature } from './delivery/basic-settings.ts'
import { cacheSimulationFeature } from './delivery/cache-simulation.ts'
import { cacheStatusSettings } from './delivery/cache-status.ts'
import { compressionSettings } from './delivery/compression.ts'
import { operatorErrorPagesFeature, siteErrorPagesFeature } from './delivery/error-pages.ts'
import { originHealthSettings } from './delivery/origin-health.ts'
import { originTimeoutsSettings } from './delivery/origin-timeouts.ts'
import { originTlsSettings } from './delivery/origin-tls.ts'
import { requestHandlingSettings } from './delivery/request-handling.ts'
import { requestTraceFeature } from './delivery/request-trace.ts'
import { dnsSettingsFeature } from './dns/dns-settings.ts'
import { domainDirectoryFeature } from './domains/directory.ts'
import { dnsRecordsFeature } from './domains/dns-records.ts'
import { domainsFeature } from './domains/domains.ts'
import { siteDnsFeature } from './domains/site-dns.ts'
import { attacksFeature } from './firewall/attacks.ts'
import { backtestFeatures } from './firewall/backtest.ts'
import { frequenciesFeature } from './firewall/frequencies.ts'
import { reputationFeature } from './firewall/reputation-settings.ts'
import { ruleChecks as firewallChecks } from './firewall/rule-checks.ts'
import { siteModeFeature, siteModeSettings } from './firewall/site-mode.ts'
import { siteModeStateFeature } from './firewall/site-mode-state.ts'
import type { Feature } from './http/implement.ts'
import { siteImportFeature } from './import/import.ts'
import { installedLicenseFeature } from './licenses/installed.ts'
import { licensesFeature } from './licenses/licenses.ts'
import { offlineLicensesFeature } from './licenses/offline.ts'
import { accessLogFeature } from './logs/access.ts'
import { logExplorerFeature } from './logs/explorer.ts'
import { wafLogFeature } from './logs/waf-log.ts'
import { mailSettingsFeature } from './messages/mail-settings.ts'
import { notifyFeature } from './messages/notify-calls.ts'
import { messageSettingsFeature } from './messages/settings.ts'
import { luaAclsFeatures } from './modules/lua-acls.ts'
import { moduleFeature } from './modules/module-family.ts'
import { settingsModuleFeature } from './modules/settings-module.ts'
import { tokenAuthsFeatures } from './modules/token-auths.ts'
import { urlRedirectsFeature } from './modules/url-redirects.ts'
import { wafFeatures } from './modules/waf.ts'
import { addressDataFeature } from './node-configuration/address-data.ts'
import { zoneRuleSetFeature } from './node-configuration/observed-rules.ts'
import { originAuthoritiesFeature } from './node-configuration/origin-authorities.ts'
import { ruleSetPublishersFeature } from './node-configuration/rule-set-publishers.ts'
import { requireTried, ruleSetsFeature } from './node-configuration/rule-sets.ts'
import { sitePortsFeature } from './node-configuration/site-ports.ts'
import { zoneBansFeature } from './node-configuration/zone-bans.ts'
import { zoneFirewallFeature } from './node-configuration/zone-firewall.ts'
import { zonePortsFeature } from './node-configuration/zone-ports.ts'
import { zoneSettingsFeature } from './node-configuration/zone-settings.ts'
import { zoneTrialFeature } from './node-configuration/zone-trial.ts'
import { zoneConfigurationFeature } from './nodes/configuration-status.ts'
import { nodesFeature } from './nodes/nodes.ts'
import { preheatFeature, zonePreheatFeature } from './nodes/preheat.ts'
import { preheatSitemapFeature } from './nodes/preheat-sitemap.ts'
import { purgeFeature } from './nodes/purge.ts'
import type { Services } from './process/services.ts'
import { productsFeature } from './products/products.ts'
import { addressReputationFeature } from './reputation/address-reputation.ts'
import { rolesFeature } from './roles/roles.ts'
import { rolloutsFeature } from './rollouts/rollouts.ts'
import { ruleListFeature } from './rules/rule-list.ts'
import { apiShieldFeature, apiShieldSettings } from './shield/api-shield.ts'
import { historyFeature } from './sites/history.ts'
import { operatorSitesFeature } from './sites/operator-sites.ts'
import { originCredentialSettings } from './sites/origin-credential.ts'
import { siteTagsFeature } from './sites/site-tags.ts'
import { siteUsersFeature } from './sites/site-users.ts'
import { sitesFeature } from './sites/sites.ts'
import { statisticsFeature } from './statistics/statistics.ts'
import { wafStatisticsFeature } from './statistics/waf.ts'
import { wafShadowFeature } from './statistics/waf-shadow.ts'
import { systemFeature } from './system/health.ts'
import { signInPolicyFeature } from './system/sign-in-policy.ts'
import { zonesFeature } from './zones/zones.ts'

/** Checks for kinds of rules that reference what is saved elsewhere. */
const ruleChecks: typeof firewallChecks = { ...firewallChecks, authRules: requireAuthGroups }

export function makeFeatures(services: Services): Feature[] {
  const features = ordinaryFeatures(services)
  return [...features, siteImportFeature(services, features)]
}

function ordinaryFeatures(services: Services): Feature[] {
  return [
    systemFeature(services),
    signInFeature(services),
    sessionRefreshFeature(services),
    secondStepFeature(services),
    singleSignOnFeature(services),
    signInPolicyFeature(),
    permissionsFeature(),
    invitationFeature(services),
    apiTokensFeature(),
    sessionsFeature(services),
    accountFeature(),
    savedViewsFeature(),
    rolesFeature(),
    accountsFeature(services),
    accountZonesFeature(),
    proxyFeature(services),
    auditFeature(),
    mailSettingsFeature(services),
    messageSettingsFeature(services),
    notifyFeature(services),
    licensesFeature(services),
    offlineLicensesFeature(services),
    installedLicenseFeature(services),
    sitesFeature(services),
    operatorSitesFeature(services),
    siteTagsFeature(services),
    siteUsersFeature(),
    domainDirectoryFeature(),
    domainsFeature(services),
    autoSslFeature(services),
    certificatesFeature(services),
    automaticCertificatesFeature(),
    tlsSiteSettings.feature(services),
    authoritySettingsFeature(services),
    dnsSettingsFeature(services),
    siteDnsFeature(services),
    dnsRecordsFeature(),
    ...Object.values(ruleLists).map((list) =>
      ruleListFeature(services, list as unknown as RuleList, { check: ruleChecks[list.kind] }),
    ),
    ruleListFeature(services, domainRuleLists.antiHeaders),
    ruleListFeature(services, domainRuleLists.antiReferers),
    ...authGroupFeatures(services),
    jwksFeature(services),
    passwordFileFeature(services),
    authSettingFeature(),
    ...backtestFeatures(services),
    settingsModuleFeature(services, cors),
    moduleFeature(services, customHeaders),
    urlRedirectsFeature(services),
    moduleFeature(services, proxyRewrites),
    ...luaAclsFeatures(services),
    ...tokenAuthsFeatures(services),
    ...wafFeatures(services),
    basicSettingsFeature(services),
    originCredentialSettings.feature(services),
    originTimeoutsSettings.feature(services),
    originTlsSettings.feature(services),
    originCertificateSettings.feature(services),
    originHealthSettings.feature(services),
    requestHandlingSettings.feature(services),
    cacheStatusSettings.feature(services),
    siteModeSettings.feature(services),
    siteModeFeature(),
    siteModeStateFeature(),
    apiShieldSettings.feature(services),
    apiShieldFeature(services),
    attacksFeature(services),
    frequenciesFeature(services),
    reputationFeature(services),
    addressReputationFeature(),
    blockIPsFeature(),
    compressionSettings.feature(services),
    siteErrorPagesFeature(services),
    operatorErrorPagesFeature(services),
    historyFeature(services),
    nodesFeature(services),
    zonesFeature(services),
    productsFeature(services),
    rolloutsFeature(),
    zoneConfigurationFeature(),
    zonePortsFeature(),
    zoneSettingsFeature(http2Settings),
    zoneSettingsFeature(http3Settings),
    zoneSettingsFeature(forceSSLRedirectCodeSettings),
    zoneSettingsFeature(tlsLimitCountSettings),
    zoneSettingsFeature(zoneAntiCC),
    zoneSettingsFeature(invalidDomainLimitCountSettings),
    zoneFirewallFeature(),
    zoneTrialFeature(services),
    zoneSettingsFeature(kernelBans),
    zoneBansFeature(),
    zoneSettingsFeature(verifiedBots),
    zoneSettingsFeature(headLimits),
    zoneSettingsFeature(trustedProxies),
    originAuthoritiesFeature(),
    zoneRuleSetFeature(services),
    zoneSettingsFeature(zoneShadow, { check: requireTried }),
    ruleSetsFeature(services),
    ruleSetPublishersFeature(services),
    addressDataFeature(),
    zoneSettingsFeature(nodeStorage),
    sitePortsFeature(services),
    purgeFeature(services),
    preheatFeature(services),
    preheatSitemapFeature(services),
    zonePreheatFeature(services),
    cacheSimulationFeature(services),
    requestTraceFeature(services),
    statisticsFeature(services),
    accessLogFeature(services),
    wafLogFeature(services),
    wafStatisticsFeature(services),
    wafShadowFeature(services),
    logExplorerFeature(services),
    dashboardFeature(services),
    brandsFeature(services),
    announcementsFeature(),
    shownAnnouncementsFeature(),
  ]
}
