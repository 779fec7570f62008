/** What the ingest of this process did, as plain numbers for `/metrics`. They only rise. */
export const eventCounts = {
  batches: 0,
  rows: 0,
  bytes: 0,
  duplicateBatches: 0,
  /** Batches a node may not send, or that are too large or cannot be unpacked. */
  refusedBatches: 0,
  /** Batches that could not be stored; the node sends them again. */
  failedBatches: 0,
  /** Lines that are no rows. */
  unreadableRows: 0,
}
