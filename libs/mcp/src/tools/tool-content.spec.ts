import { contentProblem, isToolContent, structuredOf, toolResult } from '../tool.js';

const BLOCKS = [
  { type: 'text', text: 'hello' },
  { type: 'image', data: 'aGk=', mimeType: 'image/png' },
  { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
  { type: 'resource_link', uri: 'https://acme.example/a', name: 'a' },
  { type: 'resource', resource: { uri: 'https://acme.example/a', text: 'hello' } },
];

describe('blocks of content', () => {
  it.each(BLOCKS.map((block) => [block.type, block]))('go through: %s', (_type, block) => {
    expect(toolResult({ content: [block] })).toEqual({ content: [block] });
  });

  it('go with a structured result', () => {
    const output = { content: BLOCKS, structuredContent: { a: 1 } };
    expect(toolResult(output)).toEqual(output);
    expect(structuredOf(output)).toEqual({ a: 1 });
    expect(structuredOf({ content: BLOCKS })).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['no object', 'text'],
    ['of no type', { text: 'hello' }],
    ['of another type', { type: 'video', data: '', mimeType: 'video/mp4' }],
    ['with data that is no Base64', { type: 'image', data: '!', mimeType: 'image/png' }],
    ['without its data', { type: 'audio', mimeType: 'audio/wav' }],
    ['that needs a URI', { type: 'resource_link', name: 'a' }],
    ['a call of a tool', { type: 'tool_use', id: '1', name: 'a', input: {} }],
    ['with something that JSON has no word for', { type: 'text', text: undefined }],
  ])('are refused: one %s', (_what, block) => {
    expect(contentProblem([BLOCKS[0], block])).toBe('content[1] is no content block of MCP');
    expect(() => toolResult({ content: [BLOCKS[0], block] })).toThrow('content[1]');
  });

  it.each([
    [{ content: 'text' }],
    [{ content: BLOCKS, more: 1 }],
    [{ content: BLOCKS, structuredContent: [] }],
    [{ content: BLOCKS, structuredContent: null }],
    [[BLOCKS]],
    [null],
    ['content'],
  ])('are not seen in %j', (output) => {
    expect(isToolContent(output)).toBe(false);
    expect(structuredOf(output)).toBe(output);
  });

  it('have no half characters', () => {
    const half = { content: [{ type: 'text', text: 'cut \ud83d' }] };
    expect(toolResult(half)).toEqual({ content: [{ type: 'text', text: 'cut \ufffd' }] });
  });
});
