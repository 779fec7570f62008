/** An error in ClickHouse's format, with the code on which clients base their decisions. */
export class StatementError extends Error {
  code: number
  type: string

  constructor(code: number, type: string, message: string) {
    super(message)
    this.code = code
    this.type = type
  }
}

/** ClickHouse's own table, for the codes that are not the server's fault. */
const HTTP_STATUS: Record<number, number> = {
  ...{
    27: 400,
    36: 400,
    41: 400,
    53: 400,
    62: 400,
    72: 400,
    115: 400,
    117: 400,
    130: 400,
    306: 400,
    354: 400,
    456: 400,
  },
  ...{ 46: 404, 47: 404, 50: 404, 60: 404, 63: 404, 81: 404 },
  ...{ 48: 501, 159: 408, 194: 401, 202: 503, 223: 413, 516: 403 },
}

export function describeError(error: unknown): { status: number; code: number; text: string } {
  const known = error instanceof StatementError ? error : readEngineError(error)
  const text = `Code: ${known.code}. DB::Exception: ${known.message} (${known.type})\n`
  return { status: HTTP_STATUS[known.code] ?? 500, code: known.code, text }
}

/** The engine repeats its prefix and suffix for every layer that passed the error on. */
function readEngineError(error: unknown): StatementError {
  const message = error instanceof Error ? error.message : String(error)
  const match =
    /Code: (\d+)\. DB::(?:\w*)Exception: (?:Code: \d+\. DB::\w*Exception: )*(.*?)(?: \((?:version [^)]*|[A-Z0-9_]+)\))*\s*$/s.exec(
      message,
    )
  const type = [...message.matchAll(/\(([A-Z][A-Z0-9_]{2,})\)/g)].at(-1)?.[1]
  if (!match) return new StatementError(1002, 'UNKNOWN_EXCEPTION', message)
  return new StatementError(Number(match[1]), type ?? 'UNKNOWN_EXCEPTION', match[2] ?? message)
}
