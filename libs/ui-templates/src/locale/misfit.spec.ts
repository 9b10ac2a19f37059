import { counted } from './counted.js';
import { misfit } from './misfit.js';

const template = {
  greeting: 'Hello {name}',
  part: { days: counted({ one: '1 day', other: '{n} days' }), end: 'The end' },
  open: {},
};
const whole = {
  greeting: 'Hallo {name}',
  part: { days: { one: 'ein Tag', two: 'zwei Tage', other: '{n} Tage' }, end: 'Ende' },
  open: { 'any key': 'any text' },
};
const part = (changes: object) => ({ ...whole, part: { ...whole.part, ...changes } });

describe('misfit', () => {
  it('has nothing to say of texts that fit', () => {
    expect(misfit(whole, template, true)).toBeUndefined();
    expect(misfit({ part: { end: 'Schluss' } }, template, false)).toBeUndefined();
    expect(misfit({}, template, false)).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['greeting is missing', { ...whole, greeting: undefined }],
    ['part.end is missing', part({ end: undefined })],
    ['part is missing', { greeting: whole.greeting, open: {} }],
    ['nope is no text of the pages', { ...whole, nope: 'x' }],
    ['part.nope is no text of the pages', part({ nope: 'x' })],
    ['constructor is no text of the pages', { ...whole, constructor: 'x' }],
    ['__proto__ is no text of the pages', JSON.parse('{"__proto__": "x"}')],
    ['greeting has to be a text', { ...whole, greeting: { name: 'x' } }],
    ['greeting has to be a text', { ...whole, greeting: () => 'x' }],
    ['part has to be a record', { ...whole, part: 'x' }],
    ['part has to be a record', { ...whole, part: null }],
    ['greeting lacks {name}', { ...whole, greeting: 'Hallo' }],
    [
      'greeting has {title}, which nothing is filled in for',
      { ...whole, greeting: '{title} {name}' },
    ],
    ['part.days takes texts by plural category, "other" among them', part({ days: { one: 'x' } })],
    ['part.days has to be a record', part({ days: 'x' })],
    ['part.days.other lacks {n}', part({ days: { other: 'viele' } })],
    [
      'part.days.one has {x}, which nothing is filled in for',
      part({ days: { one: '{x}', other: '{n}' } }),
    ],
    ['part.days.few has to be a text', part({ days: { few: 3, other: '{n}' } })],
    ['open.key has to be a text', { ...whole, open: { key: 3 } }],
    [' has to be a record', 'x'],
  ])('%s', (fault, texts) => {
    expect(misfit(texts, template, true)).toBe(fault);
  });
});
