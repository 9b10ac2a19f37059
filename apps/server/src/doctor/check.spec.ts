import { examine } from './check.js';
import { type Finding, ok } from './finding.js';

describe('examine', () => {
  it('keeps the findings of a check, in order', async () => {
    const findings = () => [ok('one'), ok('two')];
    expect(await examine({ title: 'Check', findings })).toEqual({
      title: 'Check',
      findings: [ok('one'), ok('two')],
    });
  });

  it('ends a check that hangs, and keeps what it found before', async () => {
    async function* hangs(): AsyncIterable<Finding> {
      yield ok('before');
      await new Promise(() => {});
    }
    const { findings } = await examine({ title: 'Check', limitMs: 20, findings: hangs });
    expect(findings).toEqual([ok('before'), expect.objectContaining({ severity: 'FAIL' })]);
    expect(findings[1]?.text).toContain('within 0.02 s');
  });

  it('turns what a check throws into a failure', async () => {
    function* throws(): Iterable<Finding> {
      yield ok('before');
      throw new Error('no such thing');
    }
    const { findings } = await examine({ title: 'Check', findings: throws });
    expect(findings.map(({ severity }) => severity)).toEqual(['ok', 'FAIL']);
    expect(findings[1]?.text).toContain('no such thing');
  });
});
