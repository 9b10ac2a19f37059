import type { UserBudget, BudgetService } from '#libs/budget';
import type { McpCaller, ToolRun } from '#libs/mcp';
import { AccountStatusTool } from './account-status.tool.js';

const BALANCE = { used: 3, limit: 1_000, resetsAt: '2026-10-02T00:00:00.000Z' };
const user = { id: 'ann', displayName: 'Ann' };
const caller = {
  user,
  app: 'Robot',
  grantId: 'g',
  scopes: ['account:read'],
  props: { userId: 'ann', app: 'Robot' },
} as unknown as McpCaller;
const statusWith = (find: (userId: string) => Promise<UserBudget | undefined>) =>
  new AccountStatusTool({ find } as BudgetService).accountStatus({}, caller, {} as ToolRun);

describe('account_status', () => {
  it('tells the name and the balance of the calling user', async () => {
    const find = async (userId: string) => ({ ...BALANCE, used: userId === 'ann' ? 3 : 0 });
    expect(await statusWith(find)).toEqual({ user, budget: BALANCE });
  });

  it('does without a balance that cannot be read', async () => {
    const find = async () => undefined;
    expect(await statusWith(find)).toEqual({ user, budget: null });
  });
});
