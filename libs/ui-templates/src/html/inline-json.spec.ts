import { inlineJson } from './inline-json.js';

it.each([
  ['leaves no element', '</script>', String.raw`"\u003c/script>"`],
  [
    'is of one byte a character',
    '“é” … \u{1f600}',
    String.raw`"\u201cé\u201d \u2026 \ud83d\ude00"`,
  ],
])('JSON in a page %s', (_what, text, written) => {
  const json = inlineJson({ text });
  expect(json).toBe(`{"text":${written}}`);
  expect(JSON.parse(json)).toEqual({ text });
});
