import { isHostAllowed } from './management-hosts.js';

const ALLOWED = ['replica-1', 'metrics.gate.internal'];
const at = (host: string, path = '/metrics') => isHostAllowed(path, [host], ALLOWED);

describe('hosts of the management listener', () => {
  it.each([
    '127.0.0.1:9090',
    '10.1.2.3',
    '[::1]:9090',
    '[fd00::12]:9090',
    'localhost:9090',
    'LOCALHOST',
    'a.localhost',
    'replica-1:9090',
    'Replica-1',
    'metrics.gate.internal',
  ])('%s is right', (host) => {
    expect([at(host), at(host, '/admin/users')]).toEqual([true, true]);
  });

  it.each([
    'evil.example:9090',
    'replica-1.evil.example',
    'localhost.evil.example',
    'localhost.',
    '127.0.0.1.evil.example',
    '0x7f.0.0.1',
    '127.1',
    '[evil.example]:9090',
    '::1',
    'user@127.0.0.1',
    '127.0.0.1:port',
    '127.0.0.1/',
    '',
  ])('"%s" is wrong under /metrics and /admin/', (host) => {
    const paths = ['/metrics', '/admin', '/admin/', '/admin/users/x', '/admin/openapi.json'];
    expect(paths.filter((path) => at(host, path))).toEqual([]);
  });

  it('none, or several, are wrong', () => {
    expect(isHostAllowed('/metrics', [], ALLOWED)).toBe(false);
    expect(isHostAllowed('/metrics', ['127.0.0.1', '127.0.0.1'], ALLOWED)).toBe(false);
  });

  it.each(['/livez', '/readyz', '/', '/administration'])('any is right at %s', (path) => {
    expect(at('evil.example', path)).toBe(true);
  });
});
