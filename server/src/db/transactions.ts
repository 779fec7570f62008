/**
 * Transactions whose statements need not wait for one another. Concurrent statements are sent together and answered in
 * order: a round trip to the database takes longer than most statements.
 */
import { type Driver, type Kysely, type KyselyConfig, type RawBuilder, Transaction } from 'kysely'

/** Runs a transaction. `settle` runs first and sets the role. */
export type Transact<Tables> = <T>(
  settle: RawBuilder<unknown>,
  run: (transaction: Kysely<Tables>) => Promise<T>,
) => Promise<T>

/** Runs transactions on a pool whose connections accept several statements at a time (the driver's `pipeline`). */
export function transactionsOf<Tables>(db: Kysely<Tables>, config: KyselyConfig): Transact<Tables> {
  const { dialect } = config
  const driver: Driver = dialect.createDriver()
  return (settle, run) =>
    db.getExecutor().provideConnection(async (connection) => {
      let isOver = false
      const executor = db.getExecutor().withConnectionProvider({
        // A statement that comes late, after another one failed, must not run in the next transaction.
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
        // If even the rollback fails, the driver closes the connection. The first error is the one to report.
        await driver.rollbackTransaction(connection).catch(() => undefined)
        throw error
      }
    })
}
