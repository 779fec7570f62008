/** Parses `Name: value`, one per line; invalid lines are left for the server to report. */
export const headersOf = (text: string): { key: string; value: string }[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const colon = line.indexOf(':')
      return {
        key: line.slice(0, colon < 0 ? line.length : colon).trim(),
        value: colon < 0 ? '' : line.slice(colon + 1).trim(),
      }
    })
