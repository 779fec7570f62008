/** Whose data says in which country an address is. */
export const credit = 'IP geolocation by {credit}'
