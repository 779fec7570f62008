/**
 * Transactions whose statements need not wait for one another. Those that are asked at once travel together and are
 * answered in their order: a way to the database and back takes longer than what most of them do there.
 */
import { type Driver, type Kysely, type KyselyConfig, type RawBuilder, Transaction } from 'kysely'

/** Runs a transaction that `settle` begins: as whom it runs. */
export type Transact<Tables> = <T>(
  settle: RawBuilder<unknown>,
  run: (transaction: Kysely<Tables>) => Promise<T>,
) => Promise<T>

/** How transactions run on a pool whose connections answer several statements in turn (the driver's `pipeline`). */
export function transactionsOf<Tables>(db: Kysely<Tables>, config: KyselyConfig): Transact<Tables> {
  const { dialect } = config
  const driver: Driver = dialect.createDriver()
  return (settle, run) =>
    db.getExecutor().provideConnection(async (connection) => {
      let isOver = false
      const executor = db.getExecutor().withConnectionProvider({
        // A statement that comes late, as another one failed meanwhile, must not run in the next transaction.
        provideConnection: (ask) => (isOver ? Promise.reject(new Error('the transaction is over')) : ask(connection)),
      })
      const transaction = new Transaction<Tables>({ config, dialect, driver, executor })
      try {
        await Promise.all([driver.beginTransaction(connection, {}), settle.execute(transaction)])
        const result = await run(transaction)
        isOver = true
        await driver.commitTransaction(connection)
        return result
      } catch (error) {
        isOver = true
        // A connection that cannot do even this is closed by the driver. What went wrong is said by the first error.
        await driver.rollbackTransaction(connection).catch(() => undefined)
        throw error
      }
    })
}
