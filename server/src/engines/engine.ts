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
  /** Where the engine writes its log. With one it goes on when its launcher dies, until it is ended by its number. */
  log?: EngineLog
}

export type EngineLog = {
  /** An open file; the engine appends to it by itself. */
  file: number
  /** The last line in it. */
  last(): string
}
