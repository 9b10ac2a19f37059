import { OutageLog } from './outage-log.js';

describe('OutageLog', () => {
  let lines: string[];
  let outage: OutageLog;

  beforeEach(() => {
    lines = [];
    const keep = (line: string) => void lines.push(line);
    outage = new OutageLog({ log: keep, warn: keep });
  });

  it('says the beginning and the end of every outage once', () => {
    outage.end('back');
    for (const line of ['out', 'still out']) outage.begin(line);
    for (const line of ['back', 'still back']) outage.end(line);
    outage.begin('out again');
    expect(lines).toEqual(['out', 'back', 'out again']);
  });

  it('may end without a word', () => {
    outage.begin('out');
    outage.end();
    outage.begin('out again');
    expect(lines).toEqual(['out', 'out again']);
  });
});
