import { parseUriTemplate } from './resource.js';

describe('URI template', () => {
  it.each<[string, string, object | undefined]>([
    ['tabs://{id}', 'tabs://a1', { id: 'a1' }],
    ['tabs://{id}', 'tabs://a%2Fb%20c', { id: 'a/b c' }],
    ['tabs://{id}', 'tabs://', undefined],
    ['tabs://{id}', 'tabs://a/b', undefined],
    ['tabs://{id}', 'tabs://a?b', undefined],
    ['tabs://{id}', 'tabs://a#b', undefined],
    ['tabs://{id}', 'tabs://a%zz', undefined],
    ['tabs://{id}', 'tabs://a\0', undefined],
    ['tabs://{id}', 'tabs://\ud800', undefined],
    ['tabs://{id}', ' tabs://a', undefined],
    ['tabs://{id}', 'tabs://a\n', { id: 'a\n' }],
    ['tabs://{id}', 'TABS://a', undefined],
    ['x://{a}/data', 'x://1/data', { a: '1' }],
    ['x://{a}/data', 'x://1/data/', undefined],
    ['x://{a}/{b}', 'x://1/2', { a: '1', b: '2' }],
    ['x://{a}-{b}.txt', 'x://1-2-3.txt', { a: '1', b: '2-3' }],
    ['x://a.b/(c)', 'x://a.b/(c)', {}],
    ['x://a.b', 'x://axb', undefined],
  ])('%s for %j', (template, uri, variables) => {
    expect(parseUriTemplate(template).match(uri)).toEqual(variables);
  });

  it('takes no uri that is longer than 2,048 characters', () => {
    const { match } = parseUriTemplate('tabs://{id}');
    expect(match(`tabs://${'x'.repeat(2_041)}`)).toBeDefined();
    expect(match(`tabs://${'x'.repeat(2_042)}`)).toBeUndefined();
  });

  it('reads the worst that fits without backtracking for ever', () => {
    const { match } = parseUriTemplate('x://{a}-{b}-{c}-{d}/{e}');
    expect(match(`x://${'-a'.repeat(1_000)}`)).toBeUndefined();
  });

  it.each([
    ['no uri', 'it is no URI'],
    ['{id}', 'it is no URI'],
    ['x://{}', '{} is no variable'],
    ['x://{+path}', '{+path} is no variable'],
    ['x://{a,b}', '{a,b} is no variable'],
    ['x://{a}{b}', 'a variable follows right after another'],
    ['x://{a}/{a}', 'a variable is there twice'],
  ])('refuses %s', (template, words) => {
    expect(() => parseUriTemplate(template)).toThrow(words);
  });
});
