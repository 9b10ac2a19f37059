import { formatPosted, parseBatch } from './tab-bus.js';

describe('a batch of the tab bus', () => {
  it.each([
    'null',
    '[]',
    '["tabs"]',
    '{}',
    '{"kind":"constructor"}',
    '{"kind":"__proto__"}',
    '{"kind":["tabs"]}',
    '{"kind":"tabs","tools":1}',
    '{"kind":"message","to":"t","except":null}',
    '{"kind":"message","to":"t","message":{"from":null,"body":1}}',
    '{"kind":"message","to":"t","except":null,"message":{"from":null,"body":1},"ackId":1}',
    '{"kind":"request","to":"t","id":"i","app":"a","method":"m","params":1}',
    '{"kind":"request","to":"t","id":"i","app":"a","expiresAt":"e","params":1}',
    '{"kind":"request","to":"t","id":"i","app":"a","method":"m","expiresAt":"e","timeoutMs":"1"}',
    '{"kind":"request","to":"t","id":"i","app":"a","method":"m","expiresAt":"e","wantsProgress":1}',
    '{"kind":"request","to":"t","id":"i","app":"a","method":"m","expiresAt":"e","checkedBy":1}',
    '{"kind":"progress","id":"i"}',
    '{"kind":"progress","id":1,"progress":{"progress":1}}',
    '{"kind":"progress","id":"i","progress":{"progress":"1"}}',
    '{"kind":"progress","id":"i","progress":{"progress":1,"total":null}}',
    '{"kind":"progress","id":"i","progress":{"progress":1,"message":1}}',
    '{"kind":"ack","id":"i","delivered":"1"}',
    '{"kind":"ack","id":"i","delivered":0.5}',
    '{"kind":"settled","id":"i"}',
    '{"kind":"settled","id":"i","outcome":{"ok":false,"error":{}}}',
    '{"kind":"settled","id":"i","outcome":{"ok":"true","value":1}}',
    '{"kind":"settled","id":"i","outcome":null,"isOutdated":1}',
    '{"kind":"account","type":"passkey-added"}',
    '{"kind":"account","type":7,"at":1}',
    '{"kind":"session-ended","session":7}',
  ])('leaves out the message %s, and nothing else', (text) => {
    const [odd, good] = parseBatch(`[["ann",${text}],${formatPosted('bob', { kind: 'tabs' })}]`);
    expect(odd).toBeUndefined();
    expect(good).toEqual({ userId: 'bob', message: { kind: 'tabs' } });
  });

  it.each([
    '',
    'tabs',
    '[',
    'null',
    '{}',
    '"[]"',
    '[1]',
    '[[]]',
    '[{"kind":"tabs"}]',
    '[[1,{"kind":"tabs"}]]',
  ])('is none: %s', (text) => {
    expect(parseBatch(text)).toEqual([undefined]);
  });

  it('reads what replicas of earlier versions ask', () => {
    const request = { kind: 'request', to: 't', id: 'i', app: 'a', method: 'm', expiresAt: 'e' };
    expect(parseBatch(JSON.stringify([['ann', request]]))).toMatchObject([{ message: request }]);
  });

  it('reads a message that has more than it needs', () => {
    expect(parseBatch('[["ann",{"kind":"tabs","since":1},2]]')).toMatchObject([
      { userId: 'ann', message: { kind: 'tabs' } },
    ]);
  });
});
