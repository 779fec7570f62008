/** How values of the database are written and read where the two differ. */
import type { ColumnType, JSONColumnType } from 'kysely'

export type Moment = ColumnType<Date, Date | string | undefined, Date | string>
export type NullableMoment = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** A JSON column: written as text, read as its value. */
export type Json<T extends object | null> = JSONColumnType<T, string | null | undefined, string | null>
