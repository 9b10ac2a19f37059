import * as fc from 'fast-check';
import { FrameError } from './frame-fields.js';
import { parseTabFrame } from './frames-from-tab.js';

const parse = (event: unknown, data?: unknown) => parseTabFrame(JSON.stringify({ event, data }));

function refusal(text: string): FrameError {
  try {
    parseTabFrame(text);
  } catch (error) {
    if (error instanceof FrameError) return error;
    throw error;
  }
  throw new Error(`taken: ${text.slice(0, 100)}`);
}

function outcomeOf(text: string) {
  try {
    return parseTabFrame(text).event;
  } catch (error) {
    return error instanceof FrameError ? error.code : error;
  }
}

describe('parseTabFrame', () => {
  it('reads what the events carry, and nothing else', () => {
    expect(parse('hello')).toEqual({ event: 'hello', data: {} });
    expect(parse('hello', { title: 'T', url: 'u', more: 1 })).toEqual({
      event: 'hello',
      data: { title: 'T', url: 'u' },
    });
    expect(parse('send', { to: '*', body: null, id: '' })).toEqual({
      event: 'send',
      data: { to: '*', body: null, id: '' },
    });
    expect(parse('ping', [1])).toEqual({ event: 'ping', data: [1] });
    expect(parse('result', { id: 'r', ok: true })).toEqual({
      event: 'result',
      data: { id: 'r', outcome: { ok: true, value: null } },
    });
  });

  it('reads progress', () => {
    const data = { id: 'r', progress: 0.5, total: 2, message: 'x'.repeat(200) };
    const { id, ...progress } = data;
    expect(parse('progress', { ...data, more: 1 }).data).toEqual({ id, progress });
    expect(parse('progress', { id, progress: -1 }).data).toStrictEqual({
      id,
      progress: { progress: -1 },
    });
  });

  it.each([
    '{"id":"r"}',
    '{"progress":1}',
    '{"id":"r","progress":"1"}',
    '{"id":"r","progress":1e999}',
    '{"id":"r","progress":null}',
    '{"id":"r","progress":1,"total":"2"}',
    '{"id":"r","progress":1,"total":null}',
    '{"id":"r","progress":1,"message":null}',
    `{"id":"r","progress":1,"message":"${'x'.repeat(201)}"}`,
    '[]',
  ])('refuses the progress %s', (data) => {
    expect(refusal(`{"event":"progress","data":${data}}`).code).toBe('bad_message');
  });

  it('takes titles of 200 and URLs of 2048 characters, and shortens what a refusal says', () => {
    const long = { title: 'x'.repeat(200), url: 'y'.repeat(2048) };
    expect(parse('hello', long).data).toEqual(long);
    const { data } = parse('result', { id: 'r', ok: false, error: 'z'.repeat(1001) });
    expect(data).toEqual({ id: 'r', outcome: { ok: false, error: 'z'.repeat(1000) } });
  });

  it.each([
    ['{', 'a frame must be JSON'],
    ['[]', 'a frame must be a JSON object'],
    ['{"event":"leave"}', 'event must be "hello", "send", "result", "progress", "tools" or "ping"'],
    ...['hello', 'send', 'result', 'progress', 'tools'].map((event) => [
      `{"event":"${event}","data":1}`,
      'data must be a JSON object',
    ]),
    ['{"event":"send","data":{"to":"*"}}', 'data.body is missing'],
    ['{"event":"send","data":{"to":""}}', 'data.to must be a string of 1 to 128 characters'],
    [
      '{"event":"hello","data":{"title":1}}',
      'data.title must be a string of at most 200 characters',
    ],
    ['{"event":"result","data":{"id":"r"}}', 'data.ok must be true or false'],
    ['{"event":"result","data":{"id":"r","ok":0,"error":"e"}}', 'data.ok must be true or false'],
    [
      '{"event":"result","data":{"id":"r","ok":false,"error":1}}',
      'data.error must be a string when ok is false',
    ],
    ['{"event":"progress","data":{"id":"r"}}', 'data.progress must be a number'],
    [
      '{"event":"progress","data":{"id":"r","progress":1,"total":"2"}}',
      'data.total must be a number',
    ],
  ])('says what is wrong with %s', (frame, message) => {
    expect(refusal(frame)).toMatchObject({ code: 'bad_message', message });
  });

  it.each([
    '__proto__',
    'constructor',
    'toString',
    'Hello',
    '',
    ['hello'],
    { hello: 1 },
    0,
    null,
    true,
  ])('knows no event %j', (event) => {
    const { code, message } = refusal(JSON.stringify({ event, data: {} }));
    expect([code, message]).toEqual(['bad_message', expect.stringMatching(/^event must be /)]);
  });

  it('takes 100 levels and no more, whatever the depth', () => {
    const frame = (levels: number) =>
      `{"event":"ping","data":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(parseTabFrame(frame(99)).event).toBe('ping');
    expect(refusal(frame(100)).message).toBe('a frame may be nested 100 levels deep');
    expect(refusal(frame(32_000)).code).toBe('bad_message');
  });

  it('takes any JSON as a body and gives it back as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const body = JSON.parse(JSON.stringify(value)) as unknown;
        expect(parse('send', { to: 't', body }).data).toEqual({ to: 't', body, id: undefined });
      }),
    );
  });

  it('either takes or refuses anything', () => {
    const event = fc.oneof(
      fc.constantFrom('hello', 'send', 'result', 'progress', 'ping'),
      fc.jsonValue(),
    );
    const data = fc.dictionary(fc.constantFrom('to', 'body', 'id', 'ok', 'title'), fc.jsonValue());
    fc.assert(
      fc.property(event, fc.oneof(data, fc.jsonValue()), (name, fields) => {
        const text = JSON.stringify({ event: name, data: fields });
        expect(['bad_message', name]).toContain(outcomeOf(text));
      }),
    );
  });
});
