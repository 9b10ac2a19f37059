import { Controller, Get, Post } from '@nestjs/common';
import type { Extension } from '#server';
import { bring, startTeamApp } from '../extending/team-app.js';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { call } from '../support/http.js';
import { OAuthClient } from '../support/oauth-client.js';

@Controller()
class TeamHomeController {
  @Get()
  home() {
    return 'the team is at home';
  }
}

@Controller()
class TeamInboxController {
  @Post()
  take() {
    return 'taken';
  }
}

describe('/ (contract: Account page)', () => {
  describe('of the service alone', () => {
    const gatehouse = useGatehouse();
    let browser: Browser;

    beforeAll(async () => {
      browser = new Browser(gatehouse);
    });

    it.each(['GET', 'HEAD'])('%s leads to the account page', async (method) => {
      for (const path of ['/', '/?from=a-bookmark']) {
        const { status, headers, text } = await browser.send(method, path);
        expect([status, headers['location'], text]).toEqual([302, '/svc/account', '']);
        expect(headers).toMatchObject({
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        });
      }
    });

    it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('405 | %s', async (method) => {
      const { status, headers, text } = await browser.send(method, '/');
      expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
      expect(text).toBe('this address takes GET only');
    });

    it.each(['//', '/index.html', '/svc/account/..'])('404 | %s', async (path) => {
      expect((await browser.send('GET', path)).status).toBe(404);
    });

    it('421 | / of an origin that is not its own', async () => {
      const headers = { host: 'evil.example' };
      expect((await browser.send('GET', '/', undefined, headers)).status).toBe(421);
    });
  });

  /** The answers of a service with an extension to these requests, in sequence. */
  async function answersOf(
    extension: Partial<Extension>,
    ...calls: [method: string, path: string][]
  ) {
    const { port, stop } = await startTeamApp(extension);
    const headers = { host: 'localhost' };
    const answers = await Promise.all(
      calls.map(([method, path]) => call(port, { method, path, headers })),
    );
    await stop();
    return answers.map(({ status, headers: { location }, text }) => [status, location ?? text]);
  }

  it('of a team that has a page there is that page', async () => {
    const answers = await answersOf(
      bring([TeamHomeController]),
      ['GET', '/'],
      ['GET', '/svc/account'],
    );
    expect(answers[0]).toEqual([200, 'the team is at home']);
    expect(answers[1]?.[0]).toBe(200);
  });

  it('of a team that has another method there is both', async () => {
    const answers = await answersOf(bring([TeamInboxController]), ['POST', '/'], ['GET', '/']);
    expect(answers).toEqual([
      [201, 'taken'],
      [302, '/svc/account'],
    ]);
  });

  it('is nowhere in the words of a service without an account page', async () => {
    const { app, port, stop } = await startTeamApp({ without: ['accountPage'] });
    const gatehouse = { app, port, origin: `http://localhost:${port}` };
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse);
    const consent = await browser.get(client.authorizePath());
    await stop();
    expect(consent.text).toContain('name="handle"');
    expect(consent.text).not.toContain('/svc/account');
  });

  it('of a team that does without the account page leads nowhere', async () => {
    const answers = await answersOf(
      { without: ['accountPage'] },
      ['GET', '/'],
      ['GET', '/svc/account'],
    );
    expect(answers).toEqual([
      [404, 'not found'],
      [404, 'not found'],
    ]);
  });
});
