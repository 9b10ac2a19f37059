import { DataSource } from 'typeorm';
import { tablesWithAccount } from '../support/account-rows.js';
import { AdminApi, startAdministered } from '../support/admin-api.js';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

/** Only Postgres locks rows, so only there further rounds can show more than the first. */
const ROUNDS = globalThis.STORAGE === 'postgres' ? 3 : 1;
const PEOPLE = 5;

interface Person {
  readonly browser: Browser;
  readonly id: string;
  /** The refresh token of an existing grant. */
  readonly refreshToken: string;
  readonly handles: readonly string[];
}

type End = (api: AdminApi, person: Person, client: OAuthClient) => Promise<{ status: number }>;

const ENDS: Readonly<Record<string, End>> = {
  'the account is deleted': (api, { id }) => api.send('DELETE', `users/${id}`),
  'its person deletes the account': (_api, { browser }) => browser.send('DELETE', '/svc/me'),
  'the account is disabled': (api, { id }) => api.post(`users/${id}/disable`),
  'the session ends': (_api, { browser }) => browser.post('/svc/auth/logout', {}),
  'the app is disconnected': async (_api, { browser }) => {
    const { apps } = (await browser.get('/svc/me/apps')).json<{ apps: { id: string }[] }>();
    return browser.send('DELETE', `/svc/me/apps/${apps[0]?.id}`);
  },
  'the client is deleted': (api, _person, { id }) => api.send('DELETE', `clients/${id}`),
};

const GOES = new Set(['the account is deleted', 'its person deletes the account']);

/**
 * Each answer locks several rows. If two answers locked them in opposite order, the database would abort one of them,
 * which would be a 503.
 */
describe('answers to consent forms (contract: Consent)', () => {
  const gatehouse = useGatehouse(() => startAdministered());

  const signUp = async (client: OAuthClient): Promise<Person> => {
    const browser = new Browser(gatehouse);
    const { user } = (await browser.signUp()).json<{ user: { id: string } }>();
    const { refresh_token: refreshToken } = await client.connect(browser);
    const handles = [await client.showConsent(browser), await client.showConsent(browser)];
    return { browser, id: user.id, refreshToken, handles };
  };
  /**
   * Makes the client's next grant record a use, as a day later. There is no public way, because a server's clock
   * cannot be moved.
   */
  const makeDue = () =>
    gatehouse.app.get(DataSource).query('UPDATE oauth_clients SET last_used_at = 0');

  it.each(Object.keys(ENDS))(
    'count or do not, beside new forms and refreshes, while %s',
    async (name) => {
      const api = new AdminApi(gatehouse);
      for (let round = 0; round < ROUNDS; round += 1) {
        const client = await OAuthClient.register(gatehouse);
        const people = await Promise.all(Array.from({ length: PEOPLE }, () => signUp(client)));
        await makeDue();
        const answers = people.flatMap((person) => [
          ...person.handles.map((handle) =>
            client.answerConsent(person.browser, handle, ['account:read']),
          ),
          ENDS[name]?.(api, person, client),
          client.refresh(person.refreshToken),
          person.browser.get(client.authorizePath()),
        ]);
        const statuses = (await Promise.all(answers)).map((answer) => answer?.status ?? 0);
        expect(statuses.filter((status) => status >= 500)).toEqual([]);
        if (!GOES.has(name)) continue;
        for (const { id } of people) {
          const left = await tablesWithAccount(gatehouse, id);
          expect(left.filter((table) => table !== 'audit_events')).toEqual([]);
        }
      }
    },
  );
});
