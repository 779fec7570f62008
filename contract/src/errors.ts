/** The error catalogue: one line per code, with the specification's number and English text, and the HTTP status. */

export const errors = {
  ok: { code: 101001, status: 200, message: 'OK' },
  unknownError: { code: 101002, status: 500, message: 'Unknown Error' },
  parameterError: { code: 101003, status: 400, message: 'Parameter Error' },
  pathInvalid: { code: 101004, status: 404, message: 'API Path Invalid' },
  databaseError: { code: 101005, status: 500, message: 'Database Execution Error' },
  invalidDnsSetting: { code: 101006, status: 400, message: 'Invalid DNS Setting' },
  proxyConnectionFailed: { code: 101007, status: 502, message: 'Proxy Connection Failed' },
  accountNotEnabled: { code: 101008, status: 403, message: 'Account Is Not Enabled' },
  multipleErrors: { code: 101009, status: 400, message: 'Multiple Errors' },
  dnsExecutionError: { code: 101010, status: 502, message: 'DNS Execution Error' },
  inconsistentPorts: { code: 101011, status: 409, message: 'Inconsistent Ports' },
  credentialRefused: { code: 101012, status: 401, message: 'Failed To Auth The Credential' },
  invalidToken: { code: 101013, status: 401, message: 'Invalid Token' },
  tokenExpired: { code: 101014, status: 401, message: 'Token Expired' },
  revokeTokenFailed: { code: 101015, status: 400, message: 'Revoke Token Failed' },
  refreshTokenFailed: { code: 101016, status: 401, message: 'Refresh Token Failed' },
  duplicateEmail: { code: 101017, status: 409, message: 'Duplicate Email' },
  permissionDenied: { code: 101018, status: 403, message: 'Permission Denied' },
  licenseExpired: { code: 101019, status: 403, message: 'License Expired' },
  illegalEmailSettings: { code: 101020, status: 400, message: 'Illegal Email Settings' },
  illegalTelegramToken: { code: 101021, status: 400, message: 'Illegal Telegram Token' },
  licenseMissing: { code: 101022, status: 404, message: 'License Does Not Exist' },
  illegalPortType: { code: 101023, status: 400, message: 'Illegal Port Type' },
  invalidLicenseServer: { code: 101024, status: 502, message: 'Invalid License Server' },
  duplicatedData: { code: 101025, status: 409, message: 'Duplicated data' },
  itemsExceedLimit: { code: 101029, status: 400, message: 'number of items exceeds limit' },
  charactersExceedLimit: { code: 101030, status: 400, message: 'number of characters exceeds limit' },
  zoneHasNodes: { code: 201001, status: 409, message: 'Please Remove Nodes In This Zone' },
  zoneNameExists: { code: 201002, status: 409, message: 'Zone Name Already Exists' },
  zonesExceedLimit: { code: 201003, status: 409, message: 'number of regions exceeds limit' },
  nodeCommunicationError: { code: 202001, status: 502, message: 'Node Communication Error' },
  nodesExceedLimit: { code: 202002, status: 409, message: 'nodes exceed upper limit' },
  nodeInGroup: { code: 202003, status: 409, message: 'Node Exists In Group' },
  nodeInVirtualNode: { code: 202004, status: 409, message: 'Node Exists In Virtual Node' },
  portType4InUse: { code: 202005, status: 409, message: 'Port Type 4 In Use' },
  invalidNodeTime: { code: 202006, status: 400, message: 'Invalid Node Time' },
  nodeVersionMismatch: { code: 202008, status: 409, message: 'Node Version Does Not match' },
  groupActive: { code: 203001, status: 409, message: 'Unable To Delete Active Group' },
  siteScheduled: { code: 203002, status: 409, message: 'Site Is In Use' },
  groupedNodesExceedLimit: { code: 203003, status: 409, message: 'grouped nodes reached limit' },
  layer4GroupInUse: { code: 204001, status: 409, message: 'Layer 4 Group Is In Use' },
  productInUse: { code: 204002, status: 409, message: 'Product Is In Use' },
  productSitesExceedLimit: { code: 204003, status: 409, message: 'product sites exceed limit' },
  sitesExceedLimit: { code: 205001, status: 409, message: 'sites exceed limit' },
  siteStatusNotAllowed: { code: 205002, status: 409, message: 'Site Status Not Allowed To Be Set' },
  siteInUse: { code: 205003, status: 409, message: 'The Site In Use' },
  siteHasL4Ports: { code: 205004, status: 409, message: 'Site Has L4 Port Settings' },
  siteHasL7Domains: { code: 205005, status: 409, message: 'Site Has An L7 Domain Name Setting' },
  liftTrafficRestrictions: { code: 205006, status: 409, message: 'Please Lift Traffic Restrictions' },
  redirectRulesExceedLimit: { code: 205007, status: 409, message: 'upper limit of redirect rules is 3,000' },
  virtualNodeInUse: { code: 206001, status: 409, message: 'Virtual Node In Use' },
  invalidCertificateName: { code: 301001, status: 400, message: 'Invalid Certificate Name' },
  domainEnabledElsewhere: { code: 401001, status: 409, message: 'Unable To Enable Duplicate Domains' },
  domainsExceedLimit: { code: 401002, status: 409, message: 'domain names exceed limit' },
  illegalPortMapping: { code: 401003, status: 400, message: 'Illegal Port Mapping Settings' },
  autoSslExceedsLimit: { code: 401004, status: 409, message: 'Auto SSL exceeds limit' },
  portsExceedLimit: { code: 401007, status: 409, message: 'Port Counts Exceeds Limit' },
  noEnabledUpstream: { code: 401008, status: 400, message: 'Upstream without enabled' },
  simultaneousExportsExceedLimit: {
    code: 601001,
    status: 429,
    message: 'simultaneous download quantity reached limit ({num} records)',
  },
  dailyExportsExceedLimit: { code: 601002, status: 429, message: 'daily download limit reached ({num} records)' },
  authGroupInUse: { code: 701001, status: 409, message: 'Site auth group in use' },
  illegalLicense: { code: 900001, status: 403, message: 'Illegal License' },
  duplicateHeaderKeys: { code: 10102502, status: 409, message: 'Duplicate keys are not allowed' },
} as const

export type ErrorName = keyof typeof errors
export type ErrorCode = (typeof errors)[ErrorName]['code']

/** The body of every reply that is not 2xx. `errors` only with `multipleErrors`. */
export type ErrorBody = {
  code: number
  message: string
  extra?: unknown
  /** The content of `extra`, in one shape for all codes. */
  details?: ErrorDetail[]
  errors?: { code: number; message: string; targets: string[] }[]
  requestId?: string
}

/** One problem with a call. `field` is empty if it concerns the whole call; `reason` is a word or a sentence. */
export type ErrorDetail = { field: string; reason: string; max?: number }

/** An invalid field: its path and the key of the reason (`messages.tsv`, kind validation). The `extra` of 101003. */
export type FieldIssue = { field: string; reason: string }

const byCode = new Map<number, ErrorName>(Object.entries(errors).map(([name, { code }]) => [code, name as ErrorName]))

/** The name of a code; undefined if the catalogue does not have it. */
export function errorName(code: number): ErrorName | undefined {
  return byCode.get(code)
}
