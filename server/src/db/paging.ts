/** SQL shared by lists. */
import { type SelectQueryBuilder, sql } from 'kysely'

/** For `$call`: one page of a list. */
export const onePage =
  ({ page, pageSize }: { page: number; pageSize: number }) =>
  <DB, TB extends keyof DB, Row>(rows: SelectQueryBuilder<DB, TB, Row>): SelectQueryBuilder<DB, TB, Row> =>
    rows.limit(pageSize).offset((page - 1) * pageSize)

/** How many rows a query finds, whatever it selects. */
export async function countOf<DB, TB extends keyof DB, Row>(rows: SelectQueryBuilder<DB, TB, Row>): Promise<number> {
  const counted = rows.clearSelect().select(sql<number>`count(*)`.as('n'))
  const { n } = (await counted.executeTakeFirstOrThrow()) as { n: number }
  return n
}

/** A pattern for `like` and `ilike` that finds the text anywhere, with its own wildcards escaped. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
