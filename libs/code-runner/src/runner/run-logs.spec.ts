import { RunLogs } from './sandbox.js';

const MORE = '(more was logged and left out)';

const linesOf = (...lines: string[]) => {
  const logs = new RunLogs();
  for (const line of lines) logs.add(line);
  return logs.lines;
};

describe('the logs of a run', () => {
  it('are kept up to 100 lines', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    expect(linesOf(...lines)).toEqual(lines);
    expect(linesOf(...lines, 'one more', 'and another')).toEqual([...lines, MORE]);
  });

  it('are kept up to 16 KiB', () => {
    const line = 'x'.repeat(8_192);
    expect(linesOf(line, line)).toEqual([line, line]);
    expect(linesOf(line, line, '')).toEqual([line, line, '']);
    expect(linesOf(line, `${line}y`, 'z')).toEqual([line, line, MORE]);
  });

  it('are cut between characters', () => {
    expect(linesOf(`x${'é'.repeat(8_192)}`)).toEqual([`x${'é'.repeat(8_191)}`, MORE]);
    expect(linesOf('😀'.repeat(5_000))).toEqual(['😀'.repeat(4_096), MORE]);
    expect(linesOf('\ud800')).toEqual(['\ufffd']);
  });
});
