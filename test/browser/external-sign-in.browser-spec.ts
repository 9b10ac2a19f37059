import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Page } from 'playwright-core';
import { ExternalSignIn } from '#libs/accounts';
import { problemsInEveryLook } from '../support/accessibility.js';
import { useChromium } from '../support/chromium.js';
import { advanceClock } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { bringGuarded, startTeamApp } from '../extending/team-app.js';

const MINUTE_MS = 60_000;
const LINKS = 'Sign in with Acme=/team/sign-in,Staff=/team/sign-in?staff';
const company = { address: '' };

/** Leads to the company and believes who comes back. */
@Controller('team')
class TeamSignInController {
  constructor(private readonly signIn: ExternalSignIn) {}

  @Get('sign-in')
  begin(@Res() response: Response) {
    response.redirect(302, company.address);
  }

  @Get('callback')
  async finish(@Req() request: Request, @Res() response: Response, @Query('sub') subject: string) {
    const person = { issuer: company.address, subject, displayName: 'Ann' };
    await this.signIn.begin(request, response, person);
  }
}

describe('a sign-in of a team’s own in Chromium (contract: External sign-in)', () => {
  const chromium = useChromium();
  const gatehouse = useGatehouse(() =>
    startTeamApp(bringGuarded(TeamSignInController), { SIGN_IN_LINKS: LINKS }),
  );
  let provider: Server;
  let page: Page;
  let people = 0;

  beforeAll(async () => {
    // 127.0.0.1 is another site than localhost.
    provider = createServer((_request, response) => {
      const back = `${gatehouse.origin}/team/callback?sub=${people}`;
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><title>Acme</title><a href="${back}">It is me</a>`);
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    company.address = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/`;
  });
  beforeEach(async () => {
    people += 1;
    ({ page } = await chromium.open());
  });
  afterAll(() => {
    provider.closeAllConnections();
    provider.close();
  });

  const passTheCompany = async () => {
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await page.getByRole('link', { name: 'It is me' }).click();
  };

  it('leads from an app through another site back to the consent form', async () => {
    const client = await OAuthClient.register(gatehouse);
    const address = gatehouse.origin + client.authorizePath();
    await page.goto(address);
    expect(await problemsInEveryLook(page)).toEqual([]);
    await passTheCompany();
    await page.locator('button[value="approve"]').waitFor();
    expect(page.url()).toBe(address);
    expect(await page.textContent('body')).toContain('Signed in as Ann');
  });

  it('is asked for again on the account page, where there is no passkey yet', async () => {
    const account = `${gatehouse.origin}/svc/account`;
    await page.goto(account);
    expect(await problemsInEveryLook(page)).toEqual([]);
    await passTheCompany();
    await page.getByRole('heading', { name: 'Ann' }).waitFor();
    expect(page.url()).toBe(account);

    advanceClock(11 * MINUTE_MS);
    await page.locator('#create-codes').click();
    await page.locator('#sign-in-again[open]').waitFor();
    expect(await problemsInEveryLook(page)).toEqual([]);
    await passTheCompany();
    await page.waitForURL(account);
    await page.locator('#create-codes').click();
    await page.locator('#codes li').first().waitFor();
  });

  it('has its codes ended by the first passkey, and the page says so', async () => {
    await page.goto(`${gatehouse.origin}/svc/account`);
    await passTheCompany();
    await page.locator('#create-codes').click();
    await page.locator('#codes li').first().waitFor();
    await page.locator('#add-passkey').click();
    await page.locator('dialog[open]').getByRole('button', { name: 'Save' }).click();
    const ended = 'Your codes stopped working when you added your first passkey. Create new ones.';
    await page.locator('#codes-left').getByText(ended).waitFor();
    await page.locator('#new-codes').waitFor({ state: 'hidden' });
    expect(await page.locator('#codes li').count()).toBe(0);
    expect(await problemsInEveryLook(page)).toEqual([]);
  });
});
