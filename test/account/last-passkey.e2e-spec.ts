import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { PASSKEYS, passkeysOf, signedUp, withFurtherPasskey } from './own-account.js';

const ROUNDS = 10;

describe('the last passkey, deleted twice at once (contract: Own passkeys)', () => {
  let here: Gatehouse;
  let there: Gatehouse;

  beforeAll(async () => {
    here = await startGatehouse();
    there = await startGatehouse({}, here);
  });
  afterAll(async () => {
    await there.stop();
    await here.stop();
  });

  it('of two tabs on two replicas that delete the two that are left, one wins', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const tab = await signedUp(here);
      await withFurtherPasskey(here, tab);
      const tabs = [tab, tab.at(there)];
      const ids = (await passkeysOf(tab)).map(({ id }) => id);
      const answers = await Promise.all(
        ids.map((id, n) => tabs[n]?.send('DELETE', `${PASSKEYS}/${id}`)),
      );
      expect(answers.map((answer) => answer?.status).toSorted()).toEqual([204, 409]);
      expect(await passkeysOf(tab)).toHaveLength(1);
    }
  });

  it('of many that delete the same one, one wins', async () => {
    const tab = await signedUp(here);
    await withFurtherPasskey(here, tab);
    const id = (await passkeysOf(tab))[0]?.id;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        tab.at(n % 2 ? here : there).send('DELETE', `${PASSKEYS}/${id}`),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([204, ...Array.from({ length: 7 }, () => 404)]);
  });
});
