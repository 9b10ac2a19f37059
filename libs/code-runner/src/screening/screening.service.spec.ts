import { Logger } from '@nestjs/common';
import { measureCharges } from '#libs/budget';
import { budgetServiceOn, CountingStore } from '#libs/budget/testing';
import { RequestWork, underWork } from '#libs/platform';
import { ContentScreener, type ScreenedContent, type ScreeningResult } from './content-screener.js';
import { ScreeningService, textIn } from './screening.service.js';

describe('textIn', () => {
  it.each([
    ['text', 'text'],
    [null, 'null'],
    [17.5, '17.5'],
    [{}, ''],
    [['a', ['b', { c: 'd', e: [1, true, 'f'] }]], 'a\nb\nc\nd\ne\n1\ntrue\nf'],
    [{ b: { a: 'x' }, y: null }, 'b\na\nx\ny\nnull'],
  ])('%j reads %j', (value, text) => {
    expect(textIn(value)).toBe(text);
  });

  it('sees through the escapes of JSON', () => {
    expect(textIn(JSON.parse('{"\\u0066oo":"\\u0062ar"}'))).toBe('foo\nbar');
  });

  it('sees what is named like a member of every object', () => {
    expect(textIn(JSON.parse('{"__proto__":{"toString":"x"}}'))).toBe('__proto__\ntoString\nx');
  });

  it('goes as deep as it has to', () => {
    let value: unknown = 'bottom';
    for (let depth = 0; depth < 50_000; depth += 1) value = [value];
    expect(textIn(value)).toBe('bottom');
  });
});

class ScriptedScreener extends ContentScreener {
  readonly asked: ScreenedContent[] = [];
  result: ScreeningResult | Error = 'accepted';
  onAsked?: () => void;

  override async screen(content: ScreenedContent) {
    this.asked.push(content);
    this.onAsked?.();
    if (this.result instanceof Error) throw this.result;
    return this.result;
  }
}

describe('ScreeningService', () => {
  let store: CountingStore;
  let screener: ScriptedScreener;
  let screening: ScreeningService;
  const check = (text: string) => screening.check({ userId: 'ann', app: 'Robot', text });

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => {
    store = new CountingStore();
    screener = new ScriptedScreener();
    screening = new ScreeningService(budgetServiceOn(store, 10), screener);
  });

  it.each([
    ['check', () => check('text')],
    ['allows', () => screening.allows({ userId: 'ann', app: 'Robot', value: 'text' })],
  ])('does not count as work while the screener has the text of `%s`', async (_method, screen) => {
    let atWork = 0;
    const seen: number[] = [];
    screener.onAsked = () => void seen.push(atWork);
    await underWork(
      new RequestWork((change) => (atWork += change)),
      screen as () => Promise<unknown>,
    );
    expect([seen, atWork]).toEqual([[0], 1]);
  });

  it.each([
    { length: 0, price: 0 },
    { length: 1, price: 1 },
    { length: 1_000, price: 1 },
    { length: 1_001, price: 2 },
    { length: 9_999, price: 10 },
  ])('charges $price for $length characters', async ({ length, price }) => {
    await check('x'.repeat(length));
    expect(store.used).toBe(price);
    expect(screener.asked.map(({ text }) => text.length)).toEqual(length === 0 ? [] : [length]);
  });

  it('charges JSON by its text, and has all that it says screened', async () => {
    const value = { total: [12.5, -3, true, null, 'a\nb'] };
    await screening.checkJson({ userId: 'ann', app: 'Robot', value });
    expect(screener.asked).toEqual([
      { userId: 'ann', app: 'Robot', text: 'total\n12.5\n-3\ntrue\nnull\na\nb' },
    ]);
    expect(store.used).toBe(1);
    await screening.checkJson({ userId: 'ann', app: 'Robot', value: Array(1_000).fill(1) });
    expect(store.used).toBe(4);
  });

  it('charges JSON without text, and does not ask the screener', async () => {
    await screening.checkJson({ userId: 'ann', app: 'Robot', value: [[], {}] });
    expect(store.used).toBe(1);
    expect(screener.asked).toEqual([]);
  });

  it('charges for a refusal, and repeats no word of the content', async () => {
    screener.result = 'refused';
    const message = expect.stringMatching(/^(?!.*horrible).*does not allow this content; rephrase/);
    await expect(check('horrible')).rejects.toMatchObject({ name: 'ScreeningError', message });
    expect(store.used).toBe(1);
  });

  it('lets nothing pass, for nothing, when the screener fails', async () => {
    screener.result = new Error('no answer from http://screen.example');
    const message = expect.stringMatching(/^(?!.*example).*nothing was done.*try again later\.$/);
    await expect(check('x')).rejects.toMatchObject({ name: 'ScreeningError', message });
    expect(store.used).toBe(0);
  });

  it('lets nothing pass when the price cannot even be given back', async () => {
    screener.result = new Error('down');
    store.giveBack = () => Promise.reject(new Error('down'));
    const message = expect.stringMatching(/nothing was done; try/);
    await expect(check('x')).rejects.toMatchObject({ name: 'ScreeningError', message });
  });

  it('says what is left and when there is more, and does not ask the screener', async () => {
    store.used = 7;
    const message = expect.stringMatching(
      /takes 4 of the user's daily credits and 3 are left; .* after \d{4}-\d\d-\d\dT00:00:00\.000Z\.$/,
    );
    await expect(check('x'.repeat(3_001))).rejects.toMatchObject({
      name: 'ScreeningError',
      message,
    });
    expect(screener.asked).toEqual([]);
    expect(store.used).toBe(7);
  });

  it('names the app when its daily credits do not cover it', async () => {
    store.reserveWithin = async () => ({ limitedBy: 'connection' });
    const work = () => check('x'.repeat(3_001));
    await expect(measureCharges(work, { id: 'app', dailyCredits: 3 })).rejects.toThrow(
      /takes 4 of this app's daily credits and 3 are left; send less, or try again after \S+Z, or ask the user to allow this app more\.$/,
    );
    expect(screener.asked).toEqual([]);
  });

  it('says that none are left when more was used than the limit is now', async () => {
    store.used = 12;
    const message = expect.stringContaining('and 0 are left');
    await expect(check('x')).rejects.toMatchObject({ message });
  });

  it('is for now when others have just given back what they held', async () => {
    store.reserve = async () => undefined;
    const message = expect.stringMatching(/^Nothing was done: .* try again now\.$/);
    await expect(check('x')).rejects.toMatchObject({ message });
  });

  it('does nothing while the budget cannot be charged', async () => {
    store.isDown = true;
    const message = expect.stringContaining('budget cannot be charged right now');
    await expect(check('x')).rejects.toMatchObject({ name: 'ScreeningError', message });
    expect(screener.asked).toEqual([]);
  });

  it('speaks of no user to a machine client', async () => {
    const robot = { userId: 'client:robot', app: 'Robot', isMachine: true } as const;
    const sentence = async (text: string) =>
      screening.check({ ...robot, text }).then(
        () => undefined,
        ({ message }: Error) => message,
      );
    screener.result = 'refused';
    expect(await sentence('x')).toBe('This service does not allow this content; rephrase it.');
    store.used = 7;
    expect(await sentence('x'.repeat(3_001))).toMatch(
      /^Nothing was done: screening this takes 4 of this client's daily credits and 3 are left; /,
    );
    store.reserve = async () => undefined;
    store.used = 0;
    expect(await sentence('x')).toBe(
      "Nothing was done: other calls held too much of this client's daily budget a moment ago; try again now.",
    );
    store.reserve = () => Promise.reject(new Error('down'));
    expect(await sentence('x')).toBe(
      "This client's daily budget cannot be charged right now, so nothing was done; try again later.",
    );
  });

  it('screens at no charge what was there before any app came', async () => {
    const allows = (value: unknown) => screening.allows({ userId: 'ann', app: 'Robot', value });
    expect(await allows({ a: ['b'] })).toBe(true);
    expect(screener.asked).toEqual([{ userId: 'ann', app: 'Robot', text: 'a\nb' }]);
    expect(await allows({})).toBe(true);
    screener.result = 'refused';
    expect(await allows('b')).toBe(false);
    screener.result = new Error('down');
    await expect(allows('b')).rejects.toThrow('down');
    expect(store.used).toBe(0);
  });
});
