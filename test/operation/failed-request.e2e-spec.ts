import { Controller, Get } from '@nestjs/common';
import { bring, startTeamApp } from '../extending/team-app.js';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';

@Controller('acme')
class BrokenController {
  @Get('broken')
  broken(): never {
    throw new Error('out of anvils');
  }
}

describe('a request that fails (contract: Paths)', () => {
  const gatehouse = useGatehouse(() =>
    startTeamApp(bring([BrokenController]), { TRUSTED_PROXIES: 'loopback' }),
  );

  const ask = (id: string) => new Browser(gatehouse).get('/acme/broken', { 'x-request-id': id });

  it('tells the id that a trusted proxy gave it, in its header and in its text', async () => {
    const answer = await ask('edge-0123_abc');
    expect([answer.status, answer.headers['x-request-id']]).toEqual([500, 'edge-0123_abc']);
    expect(answer.text).toContain('(request edge-0123_abc)');
  });

  it.each(['a b', 'x'.repeat(65), '<script>', 'ü'])('does not take %p for an id', async (id) => {
    const answer = await ask(id);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.text).toContain(`(request ${answer.headers['x-request-id']})`);
  });
});
