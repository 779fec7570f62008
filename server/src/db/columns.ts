/** Column types whose values differ between reading and writing. */
import type { ColumnType, JSONColumnType } from 'kysely'

export type Moment = ColumnType<Date, Date | string | undefined, Date | string>
export type NullableMoment = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** A JSON column: written as text, read as a value. */
export type Json<T extends object | null> = JSONColumnType<T, string | null | undefined, string | null>
