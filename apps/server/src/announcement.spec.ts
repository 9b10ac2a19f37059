import { announcement } from './announcement.js';
import { readConfig } from './config/config.js';

const usual = { hasAccountPage: true, hasExtensions: false };
const listening = { address: '127.0.0.1', port: 3000, family: 'IPv4' };

const said = (variables: Record<string, string> = {}, front?: { port: number }) =>
  announcement(readConfig(variables), { ...usual, listening, front });

describe('what the start says', () => {
  it('names the account page, the MCP address, and what has a site', () => {
    expect(said()).toEqual([
      'Gatehouse listens on 127.0.0.1 port 3000',
      'account page: http://localhost:3000/svc/account',
      'MCP address: http://localhost:3000/svc/mcp',
      'browsers run passkeys on localhost, never on 127.0.0.1',
      'for an example site to try it on, run npm run demo instead',
    ]);
  });

  it('names no account page where there is none', () => {
    const lines = announcement(readConfig({}), { ...usual, listening, hasAccountPage: false });
    expect(lines[1]).toBe('MCP address: http://localhost:3000/svc/mcp');
  });

  it('names no demo to those who start it with extensions', () => {
    const lines = announcement(readConfig({}), { ...usual, listening, hasExtensions: true });
    expect(lines.at(-1)).toBe('browsers run passkeys on localhost, never on 127.0.0.1');
  });

  it('names the address of what stands in front of it', () => {
    expect(said({}, { port: 8080 })).toEqual([
      'Gatehouse listens on 127.0.0.1 port 3000, behind port 8080',
      'account page: http://localhost:8080/svc/account',
      'MCP address: http://localhost:8080/svc/mcp',
      'browsers run passkeys on localhost, never on 127.0.0.1',
    ]);
  });

  it('names the public origins where there are any', () => {
    const PUBLIC_ORIGINS = 'https://gate.example,https://gate.example:8443';
    expect(said({ PUBLIC_ORIGINS, TRUSTED_PROXIES: 'loopback' })).toEqual([
      'Gatehouse listens on 127.0.0.1 port 3000',
      'it answers at https://gate.example, https://gate.example:8443',
      'account page: https://gate.example/svc/account, https://gate.example:8443/svc/account',
      'MCP address: https://gate.example/svc/mcp, https://gate.example:8443/svc/mcp',
    ]);
  });

  it('says what will not work, or is for development', () => {
    const lines = said({
      PUBLIC_ORIGINS: 'https://gate.example',
      CIMD_PRIVATE_HOSTS: 'localhost:8443',
    });
    expect(lines.slice(4)).toEqual([
      expect.stringMatching(/^TRUSTED_PROXIES is unset/),
      expect.stringMatching(/^CIMD_PRIVATE_HOSTS is set/),
    ]);
  });
});
