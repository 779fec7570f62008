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
import { brands } from './brand/brand.ts'
import { dashboards } from './dashboard/dashboard.ts'
import { cache, cacheRules } from './delivery/cache-rules.ts'
import { domains } from './domains/domains.ts'
import { backtest } from './firewall/backtest.ts'
import { bodyRules } from './firewall/body-rules.ts'
import { allowRules, denyRules } from './firewall/ip-rules.ts'
import { rateRules } from './firewall/rate-rules.ts'
import { installedLicense } from './licenses/installed.ts'
import { licenseCheck, licenses } from './licenses/licenses.ts'
import { accessLog } from './logs/access.ts'
import { logExplorer } from './logs/explorer.ts'
import { operatorNotify, userNotify } from './messages/notify.ts'
import { messageSettings } from './messages/settings.ts'
import { customHeaders } from './modules/custom-headers.ts'
import { nodes } from './nodes/nodes.ts'
import { rollouts } from './nodes/rollouts.ts'
import { roles } from './roles/roles.ts'
import { history } from './sites/history.ts'
import { originCredential } from './sites/origin-credential.ts'
import { siteUsers } from './sites/site-users.ts'
import { sites } from './sites/sites.ts'
import { statistics } from './statistics/statistics.ts'
import { system } from './system/health.ts'
import { signInPolicy } from './system/sign-in-policy.ts'

/** Every kind of rule list. */
export const ruleLists = { allowRules, denyRules, rateRules, bodyRules, cacheRules }

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
  messageSettings,
  userNotify,
  operatorNotify,
  licenses,
  licenseCheck,
  installedLicense,
  sites,
  siteUsers,
  history,
  originCredential,
  domains,
  allowRules: allowRules.calls,
  denyRules: denyRules.calls,
  rateRules: rateRules.calls,
  bodyRules: bodyRules.calls,
  backtest,
  cacheRules: cacheRules.calls,
  cache,
  customHeaders,
  accessLog,
  logExplorer,
  statistics,
  dashboards,
  brands,
  announcements,
  shownAnnouncements,
  nodes,
  rollouts,
  system,
}
