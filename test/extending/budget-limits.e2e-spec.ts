import { Injectable } from '@nestjs/common';
import { BudgetLimits, BudgetStore, type SetLimits, SqlBudgetStore } from '#libs/budget';
import type { Extension } from '#server';
import { ConnectedApp } from '../mcp/connected-app.js';
import { parseMetrics, valueOf } from '../operation/metrics-text.js';
import { Admin } from '../support/admin.js';
import { ADMIN_TOKEN, AdminApi } from '../support/admin-api.js';
import { call } from '../support/http.js';
import { useGatehouse } from '../support/gatehouse.js';
import { startTeamApp } from './team-app.js';

interface Shown {
  readonly limit: number;
  readonly ownLimit: number | null;
}

type Say = (set: SetLimits) => Promise<number> | number;

const double: Say = ({ own, defaultLimit }) => own ?? 2 * defaultLimit;
let say: Say;

@Injectable()
class PlanLimits extends BudgetLimits {
  override limitOf(_userId: string, set: SetLimits) {
    return say(set);
  }
}

@Injectable()
class PlanStore extends SqlBudgetStore {}

const plans: Extension = {
  gatehouse: 1,
  replacements: {
    budget: [
      { provide: BudgetLimits, useClass: PlanLimits },
      { provide: BudgetStore, useClass: PlanStore },
    ],
  },
};

describe('limits of a team (contract: Budget)', () => {
  const gatehouse = useGatehouse(() => startTeamApp(plans, { MANAGEMENT_PORT: '0', ADMIN_TOKEN }));
  let api: AdminApi;
  let app: ConnectedApp;
  let id: string;

  const runCode = { code: 'return 1' };
  const money = async () => (await app.browser.me()).budget;

  beforeAll(async () => {
    api = new AdminApi(gatehouse);
  });
  beforeEach(async () => {
    say = double;
    app = await ConnectedApp.connect(gatehouse);
    id = (await app.browser.me()).user?.id ?? '';
  });

  it('count wherever a limit is shown, and an administrator’s comes to them', async () => {
    expect(await money()).toMatchObject({ limit: 2_000 });
    expect(await app.have('account_status')).toMatchObject({ budget: { limit: 2_000 } });
    const shown = () => api.json<Shown>('GET', `budgets/${id}`);
    expect(await shown()).toMatchObject({ limit: 2_000, ownLimit: null });
    await api.json('PUT', `budgets/${id}`, { credits: 7 });
    expect(await shown()).toMatchObject({ limit: 7, ownLimit: 7 });
    expect(await money()).toMatchObject({ limit: 7 });
  });

  it('the command line with the extension shows them too', async () => {
    const admin = new Admin(gatehouse);
    expect(await admin.json<Shown>('budget', 'show', id)).toMatchObject({ limit: 1_000 });
    const extended = new Admin(gatehouse, [plans]);
    expect(await extended.json<Shown>('budget', 'show', id)).toMatchObject({ limit: 2_000 });
    expect(await extended.text('budget', 'set', id, '3')).toContain('Limit: 3 credits a day.');
  });

  it('count for what is charged, from the next charge on', async () => {
    expect(await app.have('run_code', runCode)).toMatchObject({ value: 1 });
    say = () => 1;
    expect(await app.refusal('run_code', runCode)).toContain('credit');
    say = () => 0;
    expect(await app.refusal('run_code', runCode)).toContain('credit');
  });

  it('leave the metrics as they are, whatever store counts the credits', async () => {
    await app.have('run_code', runCode);
    const { text } = await call(api.port, { method: 'GET', path: '/metrics' });
    const samples = parseMetrics(text);
    const reserved = valueOf(samples, 'gatehouse_budget_reserved_credits_total') ?? 0;
    const returned = valueOf(samples, 'gatehouse_budget_returned_credits_total') ?? 0;
    expect(reserved).toBeGreaterThan(returned);
    expect(returned).toBeGreaterThan(0);
  });

  it('are as a store that is down where they fail', async () => {
    say = () => {
      throw new Error('no plan');
    };
    const { user, budget } = await app.browser.me();
    expect({ id: user?.id, budget }).toEqual({ id, budget: null });
    expect(await app.have('account_status')).toMatchObject({ budget: null });
    expect(await app.refusal('run_code', runCode)).toContain('try again later');
    const shown = await api.get(`budgets/${id}`);
    expect([shown.status, shown.headers['retry-after']]).toEqual([503, '5']);
    expect(shown.text).not.toContain('PlanLimits');
    say = double;
    expect(await money()).toMatchObject({ used: 0, limit: 2_000 });
  });
});
