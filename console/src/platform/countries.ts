/** Countries by name in the chosen language, and by continent. */
import { countryNames } from '@breakwater/contract/phrases.ts'
import { useLocale } from './locale.ts'

export const useCountryName = (): ((code: string) => string) => countryNames(useLocale().locale)

const list = (text: string): readonly string[] => text.split(' ')

/**
 * Browsers have no names for continents, so these are phrases of the kit. Territories without a network of their own
 * are left out.
 */
export const continents = {
  africa: list(
    'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW',
  ),
  asia: list(
    'AE AF AM AZ BD BH BN BT CN GE HK ID IL IN IO IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE',
  ),
  europe: list(
    'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK',
  ),
  northAmerica: list(
    'AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV SX TC TT US VC VG VI',
  ),
  southAmerica: list('AR BO BR CL CO EC FK GF GS GY PE PY SR UY VE'),
  oceania: list('AS AU CC CK CX FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV VU WF WS'),
} as const satisfies Record<string, readonly string[]>
export type Continent = keyof typeof continents
