import { oncePer } from './once-per.js';

describe('oncePer', () => {
  it('makes the result of each key once, an undefined one too', () => {
    const asked: object[] = [];
    const nameOf = oncePer((key: { readonly name?: string }) => {
      asked.push(key);
      return key.name;
    });
    const [ann, nameless] = [{ name: 'Ann' }, {}];
    expect([ann, nameless, ann, nameless].map(nameOf)).toEqual([
      'Ann',
      undefined,
      'Ann',
      undefined,
    ]);
    expect(asked).toEqual([ann, nameless]);
  });
});
