/** Counters of this process's ingest for `/metrics`. They only increase. */
export const eventCounts = {
  batches: 0,
  rows: 0,
  bytes: 0,
  duplicateBatches: 0,
  /** Batches that a node may not send, that are too large, or that cannot be decompressed. */
  refusedBatches: 0,
  /** Batches that could not be stored; the node sends them again. */
  failedBatches: 0,
  /** Lines that are not valid rows. */
  unreadableRows: 0,
}
