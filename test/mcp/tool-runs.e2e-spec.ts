import { extension as acme } from '../../examples/team/src/acme.extension.js';
import { startTeamApp } from '../extending/team-app.js';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { OAuthClient } from '../support/oauth-client.js';
import { ToolClient } from './tool-client.js';

describe.each([
  ['SDK 1.x, which cancels by notification', '1'],
  ['SDK 2.x, which ends the connection', '2'],
])('a call that takes a while, by %s (contract: MCP endpoint)', (_name, sdk) => {
  let started: Awaited<ReturnType<typeof startTeamApp>>;
  let client: ToolClient;

  beforeAll(async () => {
    started = await startTeamApp(acme);
    const place = { port: started.port, origin: `http://localhost:${started.port}` };
    const browser = new Browser(place);
    await browser.signUp('Ann');
    const { access_token: token } = await (
      await OAuthClient.register(place)
    ).connect(browser, ['acme:greet']);
    client = await ToolClient.start(sdk, place, token);
  });
  afterAll(async () => {
    await client.stop();
    await started.stop();
  });

  const call = (dots: number, cancelAt?: number) => client.call('acme_card', { dots }, cancelAt);
  const outcomes = async () => {
    const args = ['audit', 'list', '--type', 'tool-called'];
    const { items } = await new Admin(started, [acme]).json<{ items: { detail: string }[] }>(
      ...args,
    );
    return items.map(({ detail }) => detail);
  };

  it('says how far it is, and answers in blocks', async () => {
    const { heard, answer } = await call(3);
    expect(heard).toEqual([1, 2, 3]);
    expect(answer).toMatchObject({
      content: [
        { type: 'text', text: 'A card for Ann' },
        { type: 'image', mimeType: 'image/svg+xml' },
      ],
    });
    await eventually(async () => expect(await outcomes()).toContain('acme_card: done'));
  });

  it('a run is stopped when it is cancelled, and reported as cancelled', async () => {
    const { heard, failure } = await call(100, 2);
    expect(heard).toEqual([1, 2]);
    expect(failure).toContain('enough');
    await eventually(async () => expect(await outcomes()).toContain('acme_card: cancelled'));
    expect(await call(1)).toMatchObject({ heard: [1], answer: {} });
  });
});
