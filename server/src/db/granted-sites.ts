/** The sites that an account can access, for a query on `accounts`: null for all sites of its tenant. */
import { sql } from 'kysely'

export const grantedSites = sql<number[] | null>`case when accounts.is_root or accounts.all_sites then null
    else array(select site_id from site_grants where account_id = accounts.id) end`.as('grantedSites')
