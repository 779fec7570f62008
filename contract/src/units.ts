/** Volumes and rates, base 1000. */
export const byteUnits = ['Byte', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'] as const
export type ByteUnit = (typeof byteUnits)[number]

/** Splits bytes into a value of at most two decimals and its unit. Beyond YB stays in YB. */
export function splitBytes(bytes: number): { value: number; unit: ByteUnit } {
  let value = bytes
  let step = 0
  // Rounded first: 999,999 bytes are 1 MB, not 1,000 KB.
  const rounded = (of: number) => Math.round(of * 100) / 100
  while (Math.abs(rounded(value)) >= 1000 && step < byteUnits.length - 1) {
    value /= 1000
    step += 1
  }
  return { value: rounded(value), unit: byteUnits[step]! }
}

/** Converts a value in a unit to bytes. Throws `Invalid units provided.` for an unknown unit. */
export function toBytes(value: number, unit: string): number {
  const step = byteUnits.indexOf(unit as ByteUnit)
  if (step < 0) throw new RangeError('Invalid units provided.')
  return value * 1000 ** step
}

/** Sums of attack traffic come in bits. */
export const bitsToBytes = (bits: number): number => bits / 8
