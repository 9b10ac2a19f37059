import { Browser, describeBudgetLimits, type Gatehouse, startGatehouse } from 'gatehouse/testing';
import { DataSource } from 'typeorm';
import { AcmeBudgetLimits } from '../src/acme-budget-limits.js';
import { extension } from '../src/acme.extension.js';

describe('AcmeBudgetLimits', () => {
  let gatehouse: Gatehouse;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ extensions: [extension] });
  });
  afterAll(() => gatehouse.stop());

  describeBudgetLimits(() => new AcmeBudgetLimits(gatehouse.app.get(DataSource)));

  it('give regulars more, from the next look on', async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp('Ann');
    expect((await browser.me()).budget?.limit).toBe(1_000);
    await browser.send('PUT', '/acme/me/greetings', { count: 10 });
    expect((await browser.me()).budget?.limit).toBe(20_000);
  });
});
