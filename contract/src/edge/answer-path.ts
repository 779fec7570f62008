/** Where a visitor's browser sends the answer to a challenge, on every host: no page of any site. */
export const answerPath = '/.well-known/breakwater/challenge'
