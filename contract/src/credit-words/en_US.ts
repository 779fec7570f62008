/** Attribution for the data that maps addresses to countries. */
export const credit = 'IP geolocation by {credit}'
