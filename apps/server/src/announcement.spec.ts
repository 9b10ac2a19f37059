import { announcement } from './announcement.js';
import { readConfig } from './config/config.js';

const ADDRESS = { address: '127.0.0.1', port: 3000, family: 'IPv4' };

const said = (variables: Record<string, string> = {}, front?: { port: number }) =>
  announcement(readConfig(variables), ADDRESS, front);

describe('what the start says', () => {
  it('names the MCP address, and what has a page', () => {
    expect(said()).toEqual([
      'Gatehouse listens on 127.0.0.1 port 3000',
      'MCP address: http://localhost:3000/svc/mcp (browsers run passkeys on localhost, never on 127.0.0.1)',
      'for a page to try it on, run npm run demo instead',
    ]);
  });

  it('names the address of what stands in front of it', () => {
    expect(said({}, { port: 8080 })).toEqual([
      'Gatehouse listens on 127.0.0.1 port 3000, behind port 8080',
      'MCP address: http://localhost:8080/svc/mcp (browsers run passkeys on localhost, never on 127.0.0.1)',
    ]);
  });

  it('names the public origins where there are any', () => {
    const PUBLIC_ORIGINS = 'https://gate.example,https://gate.example:8443';
    expect(said({ PUBLIC_ORIGINS, TRUSTED_PROXIES: 'loopback' })).toEqual([
      'Gatehouse listens on 127.0.0.1 port 3000',
      'it answers at https://gate.example, https://gate.example:8443',
      'MCP address: https://gate.example/svc/mcp, https://gate.example:8443/svc/mcp',
    ]);
  });

  it('says what will not work, or is for development', () => {
    const lines = said({
      PUBLIC_ORIGINS: 'https://gate.example',
      CIMD_PRIVATE_HOSTS: 'localhost:8443',
    });
    expect(lines.slice(3)).toEqual([
      expect.stringMatching(/^TRUSTED_PROXIES is unset/),
      expect.stringMatching(/^CIMD_PRIVATE_HOSTS is set/),
    ]);
  });
});
