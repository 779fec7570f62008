/** The props of a world map. */
export type WorldMapProps = {
  /** The label of the map for screen readers. */
  label: string
  /** By ISO 3166 code; codes unknown to the map are skipped. Undefined while loading. */
  rows: readonly { name: string; value: number }[] | undefined
  nameOf: (code: string) => string
  format: (value: number) => string
  /** Blocked traffic has its own colour. */
  color?: '--accent' | '--drop'
  /** Called for a press on a country; `without` is true with Alt. */
  onPick?: (code: string, without: boolean) => void
  /** Every country can be pressed, and none has a number. Provide another way to choose for the keyboard. */
  isPicker?: boolean
}
