/** Classifies the visitors whose requests the WAF matched, by their rows in the same span. */
import type { Clause } from '../events/clause.ts'
import { matchedSql } from './matched.ts'

/** Rules of the set that recognise attack tools by their names. */
const ofScanners = [913000, 913999]
/** From this many different rules, or pages, on a visitor is taken for someone probing the site. */
const rulesLeast = 10
const pagesLeast = 20

const told = "splitByChar(' ', waf)"
const ruleIds = `arrayMap(word -> toUInt32OrZero(splitByChar(':', word)[1]), ${told})`

/**
 * Addresses that look like attackers: a scanner's name, many rules or many pages, or already banned or denied. `where`
 * is the scope and the span.
 */
export const attackersSql = (where: Clause): string => `SELECT address FROM requests_raw_v1 WHERE ${where.sql}
  GROUP BY address HAVING countIf(arrayExists(id -> id BETWEEN ${ofScanners.join(' AND ')}, ${ruleIds})) > 0
    OR length(groupUniqArrayArray(${rulesLeast + 1})(arrayFilter(id -> id > 0, ${ruleIds}))) >= ${rulesLeast}
    OR uniqIf(path, ${matchedSql}) >= ${pagesLeast}
    OR countIf(guard IN ('bans', 'denyRules')) > 0`

/**
 * Addresses that probably belong to people: they passed a challenge, which shows as a challenge and, later, a page; or
 * the origin successfully answered what the WAF only observed. Those that look like attackers are excluded, whatever
 * they passed.
 */
export const peopleSql = (where: Clause): string => `SELECT address FROM requests_raw_v1 WHERE ${where.sql}
  AND address NOT IN (${attackersSql(where)})
  GROUP BY address HAVING countIf(guard = 'waf' AND action = 'observe' AND originStatus BETWEEN 200 AND 399) > 0
    OR (countIf(action = 'challenge') > 0
      AND maxIf(time, action IN ('pass', 'observe') AND status < 400) > minIf(time, action = 'challenge'))`
