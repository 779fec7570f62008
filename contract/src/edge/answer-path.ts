/** Where a visitor's browser sends the answer to a challenge, on every host; never a page of a site. */
export const answerPath = '/.well-known/breakwater/challenge'
