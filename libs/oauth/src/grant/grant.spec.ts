import { isOwnResource } from './grant.js';

const ORIGIN = 'https://gate.example';

describe('resource indicator', () => {
  it.each([
    'https://gate.example/svc/mcp',
    'https://gate.example/svc/mcp/',
    'HTTPS://GATE.example/svc/mcp',
    'https://gate.example:443/svc/mcp',
  ])('is ours: %s', (indicator) => {
    expect(isOwnResource(indicator, ORIGIN)).toBe(true);
  });

  it.each([
    '',
    'https://gate.example',
    'https://gate.example/',
    'https://gate.example/svc',
    'https://gate.example/svc/mcp//',
    'https://gate.example/svc/mcp/x',
    'https://gate.example/SVC/mcp',
    'https://gate.example/svc/mcp?x',
    'https://gate.example/svc/mcp#',
    'https://gate.example/svc/../svc/mcp',
    'https://gate.example/svc/%6Dcp',
    'https://gate.example:8443/svc/mcp',
    'https://user@gate.example/svc/mcp',
    'https://gate.example.evil/svc/mcp',
    'https://gate.example\\@evil/svc/mcp',
    'http://gate.example/svc/mcp',
    'https://evil.example/svc/mcp',
    ' https://gate.example/svc/mcp',
    'https://gate.example/svc/mcp\n',
    'gate.example/svc/mcp',
  ])('is another: %j', (indicator) => {
    expect(isOwnResource(indicator, ORIGIN)).toBe(false);
  });
});
