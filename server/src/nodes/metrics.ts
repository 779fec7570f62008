/** The node API's counters, as plain numbers for `/metrics`. */
export type NodeApiMetrics = {
  openStreams: number
  enrolled: number
  refusedCertificates: number
  wakes: number
  feedPages: number
  objectsSent: number
  objectBytesSent: number
  secretsSent: number
  tasksSent: number
  reports: number
  bansKept: number
  bansRefused: number
  eventBatches: number
  securityEvents: number
  cutOff: number
  noticesRestored: number
}

export function makeMetrics(): NodeApiMetrics {
  return {
    openStreams: 0,
    enrolled: 0,
    refusedCertificates: 0,
    wakes: 0,
    feedPages: 0,
    objectsSent: 0,
    objectBytesSent: 0,
    secretsSent: 0,
    tasksSent: 0,
    reports: 0,
    bansKept: 0,
    bansRefused: 0,
    eventBatches: 0,
    securityEvents: 0,
    cutOff: 0,
    noticesRestored: 0,
  }
}
