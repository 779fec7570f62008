/** Ids of continents and countries. They are derived from the codes, so that a stored id keeps its meaning. */

/** ISO 3166-1 alpha-2 by continent. */
export const countriesByContinent: Readonly<Record<string, string>> = {
  AF: 'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW',
  AN: 'AQ BV GS HM TF',
  AS: 'AE AF AM AZ BD BH BN BT CC CN CX GE HK ID IL IN IO IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE',
  EU: 'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK',
  NA: 'AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV SX TC TT US VC VG VI',
  OC: 'AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS',
  SA: 'AR BO BR CL CO EC FK GF GY PE PY SR UY VE',
}

/** Two letters as a number: AA is 0, ZZ is 675. */
const numberOf = (code: string): number => (code.charCodeAt(0) - 65) * 26 + code.charCodeAt(1) - 65

export const continentId = (code: string): number => 1 + numberOf(code)
export const countryId = (code: string): number => 1000 + numberOf(code)

let byId: Map<number, readonly string[]> | undefined

/** The countries of a continent's or a country's id; empty for an unknown one. */
export function countriesOf(id: number): readonly string[] {
  byId ??= new Map(
    Object.entries(countriesByContinent).flatMap(([continent, text]): [number, string[]][] => {
      const codes = text.split(' ')
      return [[continentId(continent), codes], ...codes.map((code): [number, string[]] => [countryId(code), [code]])]
    }),
  )
  return byId.get(id) ?? []
}
