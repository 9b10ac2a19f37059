import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';

const LENGTH = 50_000_000;
const MEBIBYTE = 1024;

/** The peak memory of this process, which runs the service; in KiB. */
const peak = () => process.resourceUsage().maxRSS;

describe('an object with a length where text belongs is refused and nothing is allocated for it', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;

  const claims = [{ length: LENGTH }, { length: LENGTH, byteLength: LENGTH, type: 'Buffer' }];

  /** The response with that object instead of the member. */
  const claiming = <T extends { response: object }>(json: T, member: string, claim: object) =>
    member in json.response
      ? { ...json, response: { ...json.response, [member]: claim } }
      : { ...json, [member]: claim };

  const expectRefusal = async (path: string, response: object) => {
    const before = peak();
    const answer = await browser.post(path, response);
    expect(answer.status).toBe(400);
    expect(peak() - before).toBeLessThan(256 * MEBIBYTE);
  };

  beforeEach(() => {
    browser = new Browser(gatehouse);
  });

  it.each(['id', 'rawId', 'type', 'clientDataJSON', 'attestationObject'])(
    'register/verify, %s',
    async (member) => {
      for (const claim of claims) {
        const response = claiming(await browser.attest(), member, claim);
        await expectRefusal('/svc/auth/register/verify', response);
      }
    },
  );

  it.each(['id', 'rawId', 'clientDataJSON', 'authenticatorData', 'signature', 'userHandle'])(
    'login/verify, %s',
    async (member) => {
      await browser.signUp();
      for (const claim of claims) {
        const response = claiming(await browser.assert(), member, claim);
        await expectRefusal('/svc/auth/login/verify', response);
      }
    },
  );

  it('register/options, displayName', async () => {
    for (const displayName of claims) {
      await expectRefusal('/svc/auth/register/options', { displayName });
    }
  });
});
