import { DataSource, type EntityManager } from 'typeorm';
import type { Service } from './service.js';

type Work = (manager: EntityManager) => Promise<unknown>;
type Transaction = (work: Work) => Promise<unknown>;

/**
 * Runs `first` between the checks of a request and its transaction, a moment that no other request can be timed for.
 */
export function beforeNextTransaction(
  service: Pick<Service, 'app'>,
  first: () => Promise<unknown>,
) {
  onNextTransaction(service, async (transaction, work) => {
    await first();
    return transaction(work);
  });
}

/**
 * Fails the next transaction of a service after all of its work is done, as when the machine crashes at that moment.
 */
export function failNextTransaction(service: Pick<Service, 'app'>) {
  onNextTransaction(service, (transaction, work) =>
    transaction(async (manager) => {
      await work(manager);
      throw new Error('the machine failed');
    }),
  );
}

function onNextTransaction(
  { app }: Pick<Service, 'app'>,
  run: (transaction: Transaction, work: Work) => Promise<unknown>,
) {
  const source: { transaction?: Transaction } = app.get(DataSource);
  const transaction = source.transaction?.bind(source) as Transaction;
  source.transaction = (work) => {
    delete source.transaction;
    return run(transaction, work);
  };
}
