/** Whose data says in which country an address is. */
export const credit = 'IP 地理位置由 {credit} 提供'
