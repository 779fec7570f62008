/**
 * What guessing at challenges costs. A page must find a number whose hash begins with a number of zero bits; wrong
 * answers from an address raise that number. A challenge accepts three answers at most, and an older, cheaper page
 * becomes void once its address has answered wrongly three times since.
 *
 * From one address the first eight guesses cost 2^16 to 2^23 hashes each, then every three guesses cost 2^24. A blind
 * guess at the slider is right once in 407, so an even chance takes 94 challenges: 1.6 thousand million hashes. For a
 * five-digit code it takes 23,000 challenges and 4 × 10^11 hashes. The pass is valid for one network and browser only.
 */

/** About 65,000 hashes: a fraction of a second in a browser. */
export const bitsMin = 16
/**
 * About 17 million hashes: half a minute in a browser, so that people who share an attacker's address can still get in.
 */
export const bitsMax = 24
/** Answers that a challenge accepts, and wrong answers from an address after which its older pages are void. */
export const triesMax = 3
/**
 * Unsolved challenges of a site per minute and node that do not raise the price, because people also leave pages; each
 * doubling raises it by one bit.
 */
export const unsolvedFree = 100
/** About a million hashes: a few seconds in a browser. */
export const siteBitsMax = 20
/** Seconds for which an address's wrong answers count, from the first one. */
export const wrongSeconds = 3600

/** The answer that a page sends for visitors who cannot see its picture. */
export const unseenAnswer = 'unseen'
/** About four million hashes, in place of reading a picture. */
export const unseenBitsMin = 22

/** The bits required in place of a picture, on a page that otherwise costs `bits`. */
export function unseenBits(bits: number): number {
  return Math.max(unseenBitsMin, bits + 2)
}

/** The bits of a page for an address with `wrong` wrong answers. */
export function bitsFor(wrong: number): number {
  return Math.min(bitsMin + wrong, bitsMax)
}

/** The bits of a page by the site's unsolved challenges, for any client: a flood raises its own costs. */
export function bitsForSite(unsolved: number): number {
  let bits = bitsMin
  for (let most = unsolvedFree * 2; unsolved >= most && bits < siteBitsMax; most *= 2) bits++
  return bits
}

/** Whether a page with `bits` is still valid for an address that has `wrong` wrong answers by now. */
export function isEnough(bits: number, wrong: number): boolean {
  return bits >= bitsFor(Math.max(0, wrong - triesMax + 1))
}
