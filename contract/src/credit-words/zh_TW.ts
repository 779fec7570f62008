/** Attribution for the data that maps addresses to countries. */
export const credit = 'IP 地理位置由 {credit} 提供'
