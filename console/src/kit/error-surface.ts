/** How each error code of the catalogue is displayed. A new code does not compile until it has an entry here. */
import type { ErrorName } from '@breakwater/contract/errors.ts'
import type { Fault } from '../platform/fault.ts'

/**
 * `silent`: nowhere. `list`: a dialog with each code and its targets. `fields`: at the fields of the form, or above
 * them. `signIn`: the session ends, and the sign-in page shows the server's message. `sentence`: above the form, or as
 * a toast.
 */
type Surface = 'silent' | 'list' | 'fields' | 'signIn' | 'sentence'

const surfaces: Record<ErrorName, Surface> = {
  ok: 'silent',
  unknownError: 'sentence',
  parameterError: 'fields',
  pathInvalid: 'sentence',
  databaseError: 'sentence',
  invalidDnsSetting: 'sentence',
  proxyConnectionFailed: 'sentence',
  accountNotEnabled: 'sentence',
  multipleErrors: 'list',
  dnsExecutionError: 'sentence',
  inconsistentPorts: 'sentence',
  credentialRefused: 'sentence',
  invalidToken: 'signIn',
  tokenExpired: 'signIn',
  revokeTokenFailed: 'signIn',
  refreshTokenFailed: 'signIn',
  duplicateEmail: 'sentence',
  permissionDenied: 'sentence',
  licenseExpired: 'sentence',
  illegalEmailSettings: 'sentence',
  illegalTelegramToken: 'sentence',
  licenseMissing: 'sentence',
  illegalPortType: 'sentence',
  invalidLicenseServer: 'sentence',
  duplicatedData: 'fields',
  itemsExceedLimit: 'fields',
  charactersExceedLimit: 'fields',
  zoneHasNodes: 'sentence',
  zoneNameExists: 'sentence',
  zonesExceedLimit: 'sentence',
  nodeCommunicationError: 'sentence',
  nodesExceedLimit: 'sentence',
  nodeInGroup: 'sentence',
  nodeInVirtualNode: 'sentence',
  portType4InUse: 'sentence',
  invalidNodeTime: 'sentence',
  nodeVersionMismatch: 'sentence',
  groupActive: 'sentence',
  siteScheduled: 'sentence',
  groupedNodesExceedLimit: 'sentence',
  layer4GroupInUse: 'sentence',
  productInUse: 'sentence',
  productSitesExceedLimit: 'sentence',
  sitesExceedLimit: 'sentence',
  siteStatusNotAllowed: 'sentence',
  siteInUse: 'sentence',
  siteHasL4Ports: 'sentence',
  siteHasL7Domains: 'sentence',
  liftTrafficRestrictions: 'sentence',
  redirectRulesExceedLimit: 'sentence',
  virtualNodeInUse: 'sentence',
  invalidCertificateName: 'sentence',
  domainEnabledElsewhere: 'sentence',
  domainsExceedLimit: 'sentence',
  illegalPortMapping: 'sentence',
  autoSslExceedsLimit: 'sentence',
  portsExceedLimit: 'sentence',
  noEnabledUpstream: 'fields',
  dailyExportsExceedLimit: 'sentence',
  authGroupInUse: 'sentence',
  illegalLicense: 'sentence',
  duplicateHeaderKeys: 'fields',
  simultaneousExportsExceedLimit: 'sentence',
}

/** Codes that are missing from the catalogue show the server's message. */
export const surfaceOf = ({ reason }: Fault): Surface => (reason ? surfaces[reason] : 'sentence')
