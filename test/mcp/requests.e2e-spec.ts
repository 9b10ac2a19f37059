import { eventually } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { ConnectedApp } from './connected-app.js';

interface Request {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
}

describe('calls that a person decides about (contract: Requests)', () => {
  const gatehouse = useGatehouse();
  let app: ConnectedApp;

  const open = async (of = app) =>
    (await of.browser.get('/svc/me/requests')).json<{ requests: Request[] }>().requests;
  /** The one open request, as soon as it is there. */
  const asked = (of = app) =>
    eventually(async () => {
      const [request] = await open(of);
      if (!request) throw new Error('nothing is asked');
      return request;
    });
  const decide = (id: string, decision: string, of = app) =>
    of.browser.post(`/svc/me/requests/${id}`, { decision });

  beforeEach(async () => {
    app = await ConnectedApp.connect(gatehouse, ['account:read']);
  });

  it.each(['once', 'always'])(
    'run when the person allows them %s, with the same token',
    async (decision) => {
      const call = app.have('list_tabs');
      const request = await asked();
      expect(request).toMatchObject({ kind: 'permission', state: 'open', scope: 'tabs:read' });
      const answer = await decide(request.id, decision);
      expect([answer.status, answer.json()]).toMatchObject([200, { request: { state: decision } }]);
      expect(await call).toEqual({ tabs: [] });
      expect(await open()).toEqual([]);
    },
  );

  it('are refused when the person says no, and again for a while', async () => {
    const call = app.refusal('list_tabs');
    await decide((await asked()).id, 'no');
    expect(await call).toContain('said no');
    expect(await app.refusal('list_tabs')).toContain('said no');
  });
});
