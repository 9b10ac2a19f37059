import { OwnAccountService } from '#libs/accounts';
import type { Gatehouse } from './gatehouse.js';

/** Runs `change` when the next export is read, which was let in before. */
export function beforeNextExport(
  { app }: Pick<Gatehouse, 'app'>,
  change: () => Promise<unknown>,
): void {
  const account = app.get(OwnAccountService, { strict: false });
  const describeAccount = account.describe.bind(account);
  const spy = jest.spyOn(account, 'describe').mockImplementation(async (...args) => {
    spy.mockRestore();
    await change();
    return describeAccount(...args);
  });
}
