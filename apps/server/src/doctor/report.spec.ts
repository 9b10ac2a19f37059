import { fail, ok, warn } from './finding.js';
import { hasFailed, report } from './report.js';

const sections = [
  { title: 'One', findings: [ok('is well'), warn('is odd', 'do this')] },
  { title: 'Two', findings: [fail('is \u001B[31mbroken\r\n', 'do \u00FC')] },
];

describe('report', () => {
  it('has a severity in front of each finding and the remedy below it', () => {
    expect(report(sections, false).split('\n')).toEqual([
      'One',
      '  ok    is well',
      '  warn  is odd',
      '        -> do this',
      '',
      'Two',
      '  FAIL  is ?[31mbroken??',
      '        -> do ?',
      '',
      '1 failure, 1 warning.',
      '',
    ]);
  });

  it('is plain ASCII unless colours are asked for', () => {
    expect(report(sections, false)).toMatch(/^[\n\u0020-\u007E]*$/);
    expect(report(sections, true)).toContain('\u001B[31mFAIL\u001B[0m  is ?[31mbroken');
  });

  it('says when nothing is wrong', () => {
    expect(report([{ title: 'One', findings: [ok('is well')] }], false)).toContain(
      'Nothing is wrong.',
    );
  });

  it('has failed with a failure, not with a warning', () => {
    expect(hasFailed(sections)).toBe(true);
    expect(hasFailed(sections.slice(0, 1))).toBe(false);
  });
});
