import { resultOf } from './page-contents.js';

const text = { type: 'text', text: 'hello' };
const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
const link = { type: 'resource_link', uri: 'https://shop.test/1', name: 'one' };

describe('what a page answers', () => {
  it.each([
    [[text]],
    [[text, image, { ...image, type: 'audio', mimeType: 'audio/wav' }]],
    [[{ ...link, title: 'One', description: 'x', mimeType: 'text/html', size: 4 }]],
    [[{ ...text, annotations: { audience: ['user'], priority: 1 } }]],
  ])('passes as contents: %j', (content) => {
    expect(resultOf({ content })).toEqual({ content, structuredContent: { value: null } });
  });

  it('has no text that people do not see', () => {
    const hidden = `Done.\n${String.fromCodePoint(0xe0041)}\u202eمی\u200cخواهم 👩\u200d🚀\u200b\u200e`;
    const seen = 'Done.\nمی\u200cخواهم 👩\u200d🚀\u200e';
    expect(resultOf(hidden)).toEqual({ value: seen });
    expect(resultOf({ list: [hidden, 7], [`a${hidden}`]: null })).toEqual({
      value: { list: [seen, 7], [`a${seen}`]: null },
    });
    expect(resultOf({ content: [{ ...text, text: hidden }] })).toMatchObject({
      content: [{ ...text, text: seen }],
    });
    const proto = resultOf(JSON.parse('{"__proto__":{"a":1}}'));
    expect(JSON.stringify(proto)).toBe('{"value":{"__proto__":{"a":1}}}');
  });

  it.each<[string, unknown]>([
    ['no list', { content: 'hello' }],
    ['an empty list', { content: [] }],
    ['a list and more', { content: [text], isError: false }],
    ['structured content of its own', { content: [text], structuredContent: { value: 'x' } }],
    ['one block that is none', { content: [text, { type: 'text' }] }],
    ['a block of an unknown type', { content: [{ type: '__proto__' }] }],
    [
      'an embedded resource',
      { content: [{ type: 'resource', resource: { uri: 'tabs://x', text: '' } }] },
    ],
    [
      'data for clients alone',
      { content: [{ ...text, _meta: { 'openai/outputTemplate': 'ui://x' } }] },
    ],
    ['an image that is none', { content: [{ ...image, mimeType: 'text/html' }] }],
    ['data that is no base64', { content: [{ ...image, data: '<svg>' }] }],
    ['a link to a file', { content: [{ ...link, uri: 'file:///etc/passwd' }] }],
    ['a link that runs', { content: [{ ...link, uri: 'javascript:alert(1)' }] }],
    ['pictures of a link', { content: [{ ...link, icons: [{ src: 'https://spy.test/i' }] }] }],
    ['too many blocks', { content: Array.from({ length: 65 }, () => text) }],
    ['null', null],
    ['a list', [text]],
    ['plain JSON', { painted: true }],
  ])('is plain JSON where it is %s', (_what, value) => {
    expect(resultOf(value)).toEqual({ value });
  });
});
