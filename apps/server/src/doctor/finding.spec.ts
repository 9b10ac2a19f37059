import { examine, fail, type Finding, hasFailed, ok, report, warn } from './finding.js';

describe('examine', () => {
  it('keeps the findings of a check, in order', async () => {
    const findings = [ok('one'), ok('two')];
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
    const { findings } = await examine({ title: 'Check', findings: hangs() }, 20);
    expect(findings).toEqual([ok('before'), expect.objectContaining({ severity: 'FAIL' })]);
    expect(findings[1]?.text).toContain('within 0.02 s');
  });

  it('turns what a check throws into a failure', async () => {
    function* throws(): Iterable<Finding> {
      yield ok('before');
      throw new Error('no such thing');
    }
    const { findings } = await examine({ title: 'Check', findings: throws() });
    expect(findings.map(({ severity }) => severity)).toEqual(['ok', 'FAIL']);
    expect(findings[1]?.text).toContain('no such thing');
  });
});

const sections = [
  { title: 'One', findings: [ok('is well'), warn('is odd', 'do this')] },
  { title: 'Two', findings: [fail('is \u001B[31mbroken\r\n', 'do \u00FC')] },
];

describe('report', () => {
  it('has a severity in front of each finding and the remedy below it', () => {
    expect(report(sections).split('\n')).toEqual([
      'One',
      '  ok    is well',
      '  warn  is odd',
      '        -> do this',
      '',
      'Two',
      '  FAIL  is ?[31mbroken??',
      '        -> do ?',
      '',
      'Failures: 1, warnings: 1.',
      '',
    ]);
  });

  it('says when nothing is wrong', () => {
    expect(report([{ title: 'One', findings: [ok('is well')] }])).toContain('Nothing is wrong.');
  });

  it('has failed with a failure, not with a warning', () => {
    expect(hasFailed(sections)).toBe(true);
    expect(hasFailed(sections.slice(0, 1))).toBe(false);
  });
});
