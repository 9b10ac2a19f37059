import type { SecurityEventsService, UserDirectoryService } from '#libs/accounts';
import { BudgetStore, type OwnLimits } from '#libs/budget';
import { budgetServiceOn } from '#libs/budget/testing';
import type { ClientStore } from '#libs/oauth';
import { BudgetsController } from './budgets.controller.js';

describe('the limit of an account', () => {
  const done: string[] = [];
  const users = {
    get: async () => undefined,
    whileThere: async (_id: string, work: () => Promise<void>) => work(),
  } as unknown as UserDirectoryService;
  const ownLimits = {
    find: async () => undefined,
    set: async () => void done.push('set'),
  } as unknown as OwnLimits;
  const events = { emit: () => void done.push('told') } as unknown as SecurityEventsService;
  const store = {
    read: () => Promise.reject(new Error('Redis is away')),
  } as unknown as BudgetStore;

  it('is neither set nor reported while the store cannot be read', async () => {
    const budgets = budgetServiceOn(store, 100);
    const clients = {} as ClientStore;
    const controller = new BudgetsController(users, budgets, ownLimits, events, clients);
    const changing = controller.setBudget('ann', { credits: 5 }, 'root');
    await expect(changing).rejects.toThrow('Redis is away');
    expect(done).toEqual([]);
  });
});
