import {
  BACKLOG,
  FAILED,
  GOING_AWAY,
  hubFrame,
  NO_HEARTBEAT,
  pongFrame,
  SESSION_ENDED,
  SLOW_READER,
  STORE_AWAY,
  textFrame,
  TOO_MANY_MESSAGES,
  TOO_MANY_TABS,
} from './frames-to-tab.js';

describe('textFrame', () => {
  it.each([
    [0, [0]],
    [125, [125]],
    [126, [126, 0, 126]],
    [65_535, [126, 255, 255]],
    [65_536, [127, 0, 0, 0, 0, 0, 1, 0, 0]],
  ])('says that it holds %i bytes', (length, said) => {
    const text = 'x'.repeat(length);
    const frame = textFrame(text);
    expect([...frame.subarray(0, 1 + said.length)]).toEqual([0x81, ...said]);
    expect(frame.subarray(1 + said.length).toString()).toBe(text);
  });

  it('counts bytes, not characters', () => {
    expect(textFrame('ä€😀')).toEqual(Buffer.from([0x81, 9, ...Buffer.from('ä€😀')]));
  });
});

describe('pongFrame', () => {
  it('has the data of the ping', () => {
    const data = Buffer.from('ä'.repeat(62));
    expect(pongFrame(data)).toEqual(Buffer.concat([Buffer.from([0x8a, 124]), data]));
  });
});

it.each([textFrame('x'), textFrame('x'.repeat(20_000)), pongFrame(Buffer.from('x'))])(
  'keeps nothing but itself in memory',
  (frame) => expect(frame.buffer.byteLength).toBe(frame.length),
);

describe('hubFrame', () => {
  it('is a text message with the event and its data', () => {
    expect(hubFrame('cancel', { id: 'a' })).toEqual(
      textFrame('{"event":"cancel","data":{"id":"a"}}'),
    );
  });
});

describe('a connection is closed', () => {
  it.each([
    [GOING_AWAY, 1001, 'the service is restarting'],
    [FAILED, 1011, 'internal error'],
    [STORE_AWAY, 1013, 'storage does not answer'],
    [SLOW_READER, 1013, 'too slow to read'],
    [BACKLOG, 1013, 'too much waits to be handled'],
    [SESSION_ENDED, 4401, 'session ended'],
    [NO_HEARTBEAT, 4408, 'no heartbeat'],
    [TOO_MANY_MESSAGES, 4408, 'too many messages'],
    [TOO_MANY_TABS, 4429, 'too many tabs'],
  ])('with %j', (frame, code, reason) => {
    expect(frame).toEqual({ code, reason });
  });
});
