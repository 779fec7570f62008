/** The features, in order: one may use those above it. */
import { ruleLists } from '@breakwater/contract/index.ts'
import { accountZonesFeature } from './account/account-zones.ts'
import { accountsFeature } from './account/accounts.ts'
import { proxyFeature } from './account/proxy.ts'
import { accountFeature } from './account/self.ts'
import { savedViewsFeature } from './account/views.ts'
import { announcementsFeature } from './announcements/announcements.ts'
import { shownAnnouncementsFeature } from './announcements/shown.ts'
import { auditFeature } from './audit/audit.ts'
import { apiTokensFeature } from './auth/api-tokens.ts'
import { goingOnFeature } from './auth/going-on.ts'
import { invitationFeature } from './auth/invitation.ts'
import { permissionsFeature } from './auth/permissions.ts'
import { secondStepFeature } from './auth/second-step.ts'
import { sessionsFeature } from './auth/session-calls.ts'
import { signInFeature } from './auth/sign-in.ts'
import { singleSignOnFeature } from './auth/single-sign-on.ts'
import { brandsFeature } from './brand/brands.ts'
import { dashboardFeature } from './dashboard/dashboard.ts'
import { domainsFeature } from './domains/domains.ts'
import { backtestFeature } from './firewall/backtest.ts'
import type { Feature } from './http/implement.ts'
import type { Services } from './http/services.ts'
import { installedLicenseFeature } from './licenses/installed.ts'
import { licensesFeature } from './licenses/licenses.ts'
import { offlineLicensesFeature } from './licenses/offline.ts'
import { accessLogFeature } from './logs/access.ts'
import { logExplorerFeature } from './logs/explorer.ts'
import { notifyFeature } from './messages/notify-calls.ts'
import { messageSettingsFeature } from './messages/settings.ts'
import { customHeadersFeature } from './modules/custom-headers.ts'
import { nodesFeature } from './nodes/nodes.ts'
import { purgeFeature } from './nodes/purge.ts'
import { rolesFeature } from './roles/roles.ts'
import { rolloutsFeature } from './rollouts/rollouts.ts'
import { ruleListFeature } from './rules/rule-list.ts'
import { historyFeature } from './sites/history.ts'
import { originCredentialFeature } from './sites/origin-credential.ts'
import { siteUsersFeature } from './sites/site-users.ts'
import { sitesFeature } from './sites/sites.ts'
import { statisticsFeature } from './statistics/statistics.ts'
import { systemFeature } from './system/health.ts'
import { signInPolicyFeature } from './system/sign-in-policy.ts'

export function makeFeatures(services: Services): Feature[] {
  return [
    systemFeature(services),
    signInFeature(services),
    goingOnFeature(services),
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
    messageSettingsFeature(services),
    notifyFeature(services),
    licensesFeature(services),
    offlineLicensesFeature(services),
    installedLicenseFeature(services),
    sitesFeature(services),
    siteUsersFeature(),
    domainsFeature(services),
    ruleListFeature(services, ruleLists.allowRules),
    ruleListFeature(services, ruleLists.denyRules),
    ruleListFeature(services, ruleLists.rateRules),
    ruleListFeature(services, ruleLists.bodyRules),
    ruleListFeature(services, ruleLists.cacheRules),
    backtestFeature(services),
    customHeadersFeature(services),
    originCredentialFeature(services),
    historyFeature(services),
    nodesFeature(services),
    rolloutsFeature(),
    purgeFeature(services),
    statisticsFeature(services),
    accessLogFeature(services),
    logExplorerFeature(services),
    dashboardFeature(services),
    brandsFeature(services),
    announcementsFeature(),
    shownAnnouncementsFeature(),
  ]
}
