import { parseTabBusMessage } from './tab-bus-message.js';

describe('parseTabBusMessage', () => {
  it.each([
    '',
    'tabs',
    '{"kind":"tabs"',
    'null',
    '[]',
    '["tabs"]',
    '{}',
    '{"kind":"constructor"}',
    '{"kind":"__proto__"}',
    '{"kind":["tabs"]}',
    '{"kind":"message","to":"t","except":null}',
    '{"kind":"message","to":"t","message":{"from":null,"body":1}}',
    '{"kind":"message","to":"t","except":null,"message":{"from":null,"body":1},"ackId":1}',
    '{"kind":"request","to":"t","id":"i","app":"a","method":"m","params":1}',
    '{"kind":"request","to":"t","id":"i","app":"a","expiresAt":"e","params":1}',
    '{"kind":"ack","id":"i","delivered":"1"}',
    '{"kind":"ack","id":"i","delivered":0.5}',
    '{"kind":"settled","id":"i"}',
    '{"kind":"settled","id":"i","outcome":{"ok":false,"error":{}}}',
    '{"kind":"settled","id":"i","outcome":{"ok":"true","value":1}}',
    '{"kind":"account","type":"passkey-added"}',
    '{"kind":"account","type":7,"at":1}',
    '{"kind":"session-ended","session":7}',
  ])('leaves out %s', (text) => {
    expect(parseTabBusMessage(text)).toBeUndefined();
  });

  it('reads a message that has more than it needs', () => {
    expect(parseTabBusMessage('{"kind":"tabs","since":1}')).toMatchObject({ kind: 'tabs' });
  });
});
