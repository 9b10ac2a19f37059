import { readFileSync } from 'node:fs';
import type { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { passkeysOf, sessionsOf, signedUp, withFurtherPasskey } from './own-account.js';

const text = readFileSync(new URL('../../docs/reference/account.md', import.meta.url), 'utf8');

interface Example {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

const BLOCK = /^```http\n([\s\S]+?)\n```/gm;
const LINE = /^(GET|PATCH|POST|DELETE) (\S+)(?:\n(\{.+\}))?$/gm;
const ANSWER = /^200 (\{.+\})$/gm;

const examples: Example[] = [...text.matchAll(BLOCK)].flatMap(([, block = '']) =>
  [...block.matchAll(LINE)].map(([, method = '', path = '', body]) => ({ method, path, body })),
);

/** The JSON answers in the document, by the member that contains the list. */
const answers = [...text.matchAll(ANSWER)].map(
  ([, body = '']) => JSON.parse(body) as Record<string, object[]>,
);

describe('the examples of docs/reference/account.md (contract: Own account)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;

  beforeEach(async () => {
    browser = await signedUp(gatehouse);
    await (await withFurtherPasskey(gatehouse, browser)).signIn();
    await (await OAuthClient.register(gatehouse)).connect(browser);
  });

  async function withIds(path: string) {
    if (path.includes('connections')) {
      const { apps } = (await browser.get('/svc/me/apps')).json<{ apps: { id: string }[] }>();
      return path.replace('<id>', apps[0]?.id ?? '');
    }
    const listed = path.includes('passkeys')
      ? await passkeysOf(browser)
      : await sessionsOf(browser);
    return path.replace('<id>', listed.find(({ current }) => !current)?.id ?? '');
  }

  /** A recovery code as people type it. */
  async function recoveryCode() {
    const answer = await browser.post('/svc/me/recovery-codes');
    const [code = ''] = answer.json<{ codes: string[] }>().codes;
    return code.toLowerCase().replaceAll('-', ' ');
  }

  it('are there', () => {
    expect(examples.map(({ path }) => path)).toContain('/svc/me');
    expect(examples).toHaveLength([...text.matchAll(/^[A-Z]+ \//gm)].length);
    expect(answers.flatMap((answer) => Object.keys(answer))).toEqual([
      'passkeys',
      'sessions',
      'events',
      'connections',
    ]);
  });

  it.each(examples)('$method $path', async ({ method, path, body }) => {
    const given = path === '/svc/recovery' ? { code: await recoveryCode() } : body;
    const answer = await browser.send(method, await withIds(path), given);
    expect(answer.status).toBe(method === 'DELETE' ? 204 : 200);
  });

  it.each(answers)('the answer %j has the documented members', async (answer) => {
    const [[name = '', [record = {}] = []] = []] = Object.entries(answer);
    const path = name === 'events' ? 'activity' : name;
    await eventually(async () => {
      const listed = (await browser.get(`/svc/me/${path}`)).json<Record<string, object[]>>();
      expect(Object.keys(listed[name]?.[0] ?? {})).toEqual(Object.keys(record));
    });
  });
});
