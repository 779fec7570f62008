/** What a launcher gives back: where the engine answers, and how to end it. */
export type Engine = {
  /** A connection URL with the password in it; stays the same when the engine is started again on the same folder. */
  url: string
  pid: number
  /** Ends the engine in an orderly way; what it acknowledged is on disk afterwards. */
  stop(): Promise<void>
  /** Settles when the process is gone, asked for or not, with a sentence that says how it ended. */
  exited: Promise<string>
}

export type EngineOptions = {
  /** The folder that holds all state of this installation; each engine keeps to a folder of its own inside it. */
  dataFolder: string
  /** False only in tests: nothing is synced to disk, which is faster and loses data in a power cut. */
  durable?: boolean
  /** Gets every line that the engine writes to its log. */
  onLine?: (line: string) => void
}
