/** What a launcher returns: where the engine is reached, and how to stop it. */
export type Engine = {
  /** A connection URL including the password. Stays the same when the engine is restarted on the same folder. */
  url: string
  pid: number
  /** Stops the engine gracefully; everything it acknowledged is on disk afterwards. */
  stop(): Promise<void>
  /** Resolves when the process has ended, whether requested or not, with a sentence that says how. */
  exited: Promise<string>
}

export type EngineOptions = {
  /** The folder for all state of this installation; each engine uses a folder of its own inside it. */
  dataFolder: string
  /** False only in tests: nothing is synced to disk, which is faster but loses data in a power cut. */
  durable?: boolean
  /**
   * Where the engine writes its log. With a log, the engine outlives its launcher until it is stopped by its process
   * id.
   */
  log?: EngineLog
}

export type EngineLog = {
  /** An open file, to which the engine itself appends. */
  file: number
  /** The last line in it. */
  last(): string
}
