/** Why nodes ban an address from a whole zone, as the API spells it. */
import { zoneBanCauses } from '../edge/zone-bans.ts'
import { wordOf } from '../enumeration.ts'

export const ZoneBanCauseWord = wordOf('ZoneBanCause', 'What bans an address from all sites of a zone.', zoneBanCauses)
