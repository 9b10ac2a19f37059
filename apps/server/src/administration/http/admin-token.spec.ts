import { carriesToken } from './admin-token.js';

const TOKEN = 'correct-horse/battery+staple_0123==';
const carries = (...authorization: string[]) => carriesToken(authorization, TOKEN);

describe('the token of administration', () => {
  it('is that of a bearer', () => {
    expect(carries(`Bearer ${TOKEN}`)).toBe(true);
    expect(carries(`bearer  ${TOKEN}`)).toBe(true);
  });

  it.each([
    [''],
    ['Bearer'],
    ['Bearer '],
    [TOKEN],
    [`Basic ${TOKEN}`],
    [`Bearer ${TOKEN.slice(0, -1)}`],
    [`Bearer ${TOKEN}=`],
    [`Bearer ${TOKEN.toUpperCase()}`],
    [`Bearer ${TOKEN} ${TOKEN}`],
    [`Bearer ${TOKEN}, Bearer ${TOKEN}`],
  ])('"%s" is none', (authorization) => {
    expect(carries(authorization)).toBe(false);
  });

  it('none, or two, are none', () => {
    expect(carries()).toBe(false);
    expect(carries(`Bearer ${TOKEN}`, `Bearer ${TOKEN}`)).toBe(false);
  });
});
