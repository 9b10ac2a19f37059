import { inlineJson } from './inline-json.js';

it.each([
  ['leaves no element', '</script>', String.raw`"\u003c/script>"`],
  ['is of one byte a character in Western languages', '“é” …', String.raw`"\u201cé\u201d \u2026"`],
])('JSON in a page %s', (_what, text, written) => {
  const json = inlineJson({ text });
  expect(json).toBe(`{"text":${written}}`);
  expect(JSON.parse(json)).toEqual({ text });
});
