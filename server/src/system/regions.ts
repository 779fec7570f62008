/** Continents and countries as a tree. Ids are stable: derived from the codes (gaps B-56). */
import type { Region } from '@breakwater/contract/system/health.ts'

/** ISO 3166-1 alpha-2 by continent. */
const byContinent: Record<string, string> = {
  AF: 'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW',
  AN: 'AQ BV GS HM TF',
  AS: 'AE AF AM AZ BD BH BN BT CC CN CX GE HK ID IL IN IO IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE',
  EU: 'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK',
  NA: 'AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV SX TC TT US VC VG VI',
  OC: 'AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS',
  SA: 'AR BO BR CL CO EC FK GF GY PE PY SR UY VE',
}

const names = new Intl.DisplayNames('en', { type: 'region' })
/** Two letters as a number: AA is 0, ZZ is 675. */
const idOf = (code: string): number => (code.charCodeAt(0) - 65) * 26 + code.charCodeAt(1) - 65

let tree: { data: Region[]; total: number } | undefined

/** The tree, made once. */
export function regions(): { data: Region[]; total: number } {
  tree ??= makeTree()
  return tree
}

function makeTree() {
  const data = Object.entries(byContinent).map(([continentCode, codes]) => ({
    id: 1 + idOf(continentCode),
    code: continentCode,
    alpha2: '',
    countryName: '',
    cityName: '',
    continentCode,
    children: codes.split(' ').map((alpha2) => ({
      id: 1000 + idOf(alpha2),
      code: alpha2,
      alpha2,
      countryName: names.of(alpha2) ?? alpha2,
      cityName: '',
      continentCode,
      children: [],
    })),
  }))
  return { data, total: data.length }
}
