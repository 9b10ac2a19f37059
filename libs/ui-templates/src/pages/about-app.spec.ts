import { isIpAddress, localhostOrigin, redirectTarget } from './about-app.js';

describe('redirect target', () => {
  it.each([
    ['https://app.example/cb?next=localhost', 'app.example', false, false],
    ['https://app.example:8443/cb', 'app.example:8443', false, false],
    ['https://localhost.app.example/cb', 'localhost.app.example', false, false],
    ['https://127.0.0.1.app.example/cb', '127.0.0.1.app.example', false, false],
    ['http://localhost:4711/cb', 'localhost:4711', false, true],
    ['http://LOCALHOST/cb', 'localhost', false, true],
    ['http://tool.localhost/cb', 'tool.localhost', false, true],
    ['http://127.0.0.1:4711/cb', '127.0.0.1:4711', false, true],
    ['http://127.9.8.7/cb', '127.9.8.7', false, true],
    ['http://127.1/cb', '127.0.0.1', false, true],
    ['http://[0:0::1]:4711/cb', '[::1]:4711', false, true],
    ['cursor://anysphere.cursor-mcp/oauth', 'cursor://anysphere.cursor-mcp', true, false],
    ['cursor://LocalHost/oauth', 'cursor://LocalHost', true, true],
    ['com.example.app:/cb', 'com.example.app:', true, false],
  ])('%s is shown as %s', (uri, label, opensApp, loopback) => {
    expect(redirectTarget(uri)).toEqual({ label, opensApp, loopback });
  });

  it('throws for what is no URI', () => {
    expect(() => redirectTarget('app.example')).toThrow('Invalid URL');
  });
});

describe('own address', () => {
  it.each([
    ['http://127.0.0.1:3000', true, 'http://localhost:3000'],
    ['http://[::1]:3000', true, 'http://localhost:3000'],
    ['http://192.168.1.7:3000', true, undefined],
    ['https://[2001:db8::1]', true, undefined],
    ['http://localhost:3000', false, undefined],
    ['https://gate.example', false, undefined],
  ])('%s: address %s, by name %s', (origin, address, byName) => {
    expect(isIpAddress(new URL(origin).hostname)).toBe(address);
    expect(localhostOrigin(origin)).toBe(byName);
  });
});
