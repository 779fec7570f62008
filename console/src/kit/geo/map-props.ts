/** What a world map is given. */
export type WorldMapProps = {
  /** What the map tells, for those who hear it. */
  label: string
  /** By ISO 3166 code; what the map does not know is left out. Nothing while they are on their way. */
  rows: readonly { name: string; value: number }[] | undefined
  nameOf: (code: string) => string
  format: (value: number) => string
  /** Refused traffic has its own colour. */
  color?: '--accent' | '--drop'
  /** A press on a country; `without` with Alt. */
  onPick?: (code: string, without: boolean) => void
  /** Every country can be pressed, and none is a number: there must be another way to choose, for keys. */
  isPicker?: boolean
}
