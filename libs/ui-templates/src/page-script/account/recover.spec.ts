import { codeIn, wrongLength } from './recover.js';

const CODE = '7Q2M-X0VK-9DTA-3HRB-C41E-WZ8N';

describe('typed recovery code', () => {
  it.each([
    ['alone', CODE],
    ['with white space around it', `\n\t ${CODE} \u00a0`],
    ['in the link that it came in', `https://gate.example/svc/account/recover#${CODE}`],
    ['as the fragment of an address', `#${CODE}`],
  ])('is found %s', (_how, text) => {
    expect(codeIn(text)).toBe(CODE);
  });

  it.each([
    ['as it was shown', CODE],
    ['in small letters, with spaces', '7q2m x0vk 9dta 3hrb c41e wz8n'],
    ['with dashes of a word processor', CODE.replaceAll('-', '–')],
    ['in quotes, with a full stop', `“${CODE}”.`],
    ['with a zero-width space', `${CODE}\u200b`],
    ['in full-width digits', CODE.replaceAll('2', '２')],
    ['of a link', 'Q94HNRY4H353215E36Q1MXX3Q94HNRY4'],
  ])('is whole %s', (_how, code) => {
    expect(wrongLength(code)).toBeUndefined();
  });

  it.each([
    ['too short', CODE.slice(1), 23],
    ['too long', `${CODE}X`, 25],
    ['empty', '', 0],
  ])('is not whole when it is %s', (_how, code, length) => {
    expect(wrongLength(code)).toBe(length);
  });
});
