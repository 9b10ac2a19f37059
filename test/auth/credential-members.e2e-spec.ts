import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { SoftAuthenticator } from '../support/soft-authenticator/index.js';

describe('members of a registration response', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;

  beforeEach(() => {
    browser = new Browser(gatehouse, SoftAuthenticator.securityKey());
  });

  it('clientDataJSON of 4096 characters is taken, of more is not', async () => {
    const short = await browser.signUp('Ann', { overrides: { clientDataChars: 4096 } });
    expect(short.status).toBe(200);
    const long = await new Browser(gatehouse).signUp('Ann', {
      overrides: { clientDataChars: 4098 },
    });
    expect(long.status).toBe(400);
  });

  it('odd transports are dropped, and the others kept', async () => {
    const transports = ['usb', 'EVIL<script>', 5, ''];
    expect((await browser.signUp('Ann', { overrides: { transports } })).status).toBe(200);
    const { excludeCredentials } = await browser.creationOptions({});
    expect(excludeCredentials?.[0]?.transports).toEqual(['usb']);
  });
});
