/**
 * What guessing at challenges costs. A page asks for a number whose hash begins with so many zero bits; wrong answers
 * from an address raise them. A challenge is answered three times at most, and an older, cheaper page does not count
 * once its address has answered wrongly three times since.
 *
 * From one address the first eight guesses cost 2^16 to 2^23 hashes each, then every three guesses cost 2^24. A blind
 * guess at the slider is right once in 407, so an even chance costs 94 challenges: 1.6 thousand million hashes. For a code of
 * five digits it is 23,000 challenges and 4 × 10^11 hashes. The pass that is won holds for one network and browser.
 */

/** Some 65,000 hashes: a fraction of a second in a browser. */
export const bitsMin = 16
/** Some 17 million: half a minute in a browser, so that people who share an attacker's address still get in. */
export const bitsMax = 24
/** Answers to one challenge, and wrong answers from an address until its older pages are void. */
export const triesMax = 3
/** Unsolved challenges of a site in a minute on a node that raise no price, as people leave pages, too; each doubling raises it by a bit. */
export const unsolvedFree = 100
/** Some a million: a few seconds in a browser. */
export const siteBitsMax = 20
/** Seconds for which an address's wrong answers count, from the first of them. */
export const wrongSeconds = 3600

/** What a page answers for who cannot see its picture. */
export const unseenAnswer = 'unseen'
/** Some four million hashes, instead of a picture that is read. */
export const unseenBitsMin = 22

/** The bits that stand for a picture that cannot be seen, on a page of so many. */
export function unseenBits(bits: number): number {
  return Math.max(unseenBitsMin, bits + 2)
}

/** The bits of a page for an address that gave so many wrong answers. */
export function bitsFor(wrong: number): number {
  return Math.min(bitsMin + wrong, bitsMax)
}

/** The bits of a page of a site that has so many unsolved challenges, whoever asks: a flood makes work for itself. */
export function bitsForSite(unsolved: number): number {
  let bits = bitsMin
  for (let most = unsolvedFree * 2; unsolved >= most && bits < siteBitsMax; most *= 2) bits++
  return bits
}

/** Whether a page of so many bits still counts for an address that has given so many wrong answers by now. */
export function isEnough(bits: number, wrong: number): boolean {
  return bits >= bitsFor(Math.max(0, wrong - triesMax + 1))
}
