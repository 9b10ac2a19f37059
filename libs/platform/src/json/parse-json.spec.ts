import { parseJson } from './parse-json.js';

describe('parseJson', () => {
  it.each(['null', '0', '""', '[]', '{"a":[1]}'])('reads %s', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
    expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it.each(['', 'undefined', '{', "{'a':1}", 'NaN'])('finds no JSON in %j', (text) => {
    expect(parseJson(text)).toBeUndefined();
    expect(parseJson(Buffer.from(text))).toBeUndefined();
  });

  it('finds no JSON in bytes that are no UTF-8', () => {
    expect(parseJson(Uint8Array.of(0x22, 0xff, 0x22))).toBeUndefined();
  });
});
