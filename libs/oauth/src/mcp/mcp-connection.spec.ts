import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { McpConnection } from './mcp-connection.js';

const PING: JSONRPCRequest = { jsonrpc: '2.0', id: 'x', method: 'ping' };

describe('the connection that everybody shares', () => {
  let connection: McpConnection<string>;
  let asked: JSONRPCRequest[];

  beforeEach(() => {
    connection = new McpConnection();
    asked = [];
    Object.assign(connection, { onmessage: (message: JSONRPCRequest) => asked.push(message) });
  });

  const idOf = (n: number) => asked[n]?.id ?? '';
  const answerTo = (n: number, who: string): JSONRPCMessage => ({
    jsonrpc: '2.0',
    id: idOf(n),
    result: { who },
  });
  const kept = () => Reflect.get(connection, 'open') as Map<unknown, unknown>;

  it('tells equal ids of different askers apart, and gives each his own back', async () => {
    const ann = connection.ask(PING, 'ann');
    const bob = connection.ask(PING, 'bob');
    expect(idOf(0)).not.toBe(idOf(1));
    expect([idOf(0), idOf(1)].map((id) => connection.get(id))).toMatchObject([
      { asker: 'ann', request: { id: 'x' } },
      { asker: 'bob', request: { id: 'x' } },
    ]);
    await connection.send(answerTo(1, 'bob'));
    await connection.send(answerTo(0, 'ann'));
    expect(await ann.answer).toMatchObject({ id: 'x', result: { who: 'ann' } });
    expect(await bob.answer).toMatchObject({ id: 'x', result: { who: 'bob' } });
    expect(kept().size).toBe(0);
  });

  it('keeps nothing of what was given up, and hears nothing of it any more', async () => {
    const { answer, giveUp } = connection.ask(PING, 'ann');
    const { signal } = connection.get(idOf(0)).stop;
    giveUp();
    giveUp();
    expect(signal.aborted).toBe(true);
    expect(await answer).toBeUndefined();
    expect(kept().size).toBe(0);
    expect(() => connection.get(idOf(0))).toThrow('nobody waits');
    await connection.send(answerTo(0, 'ann'));
  });

  it('stops nothing that was answered', async () => {
    const { giveUp } = connection.ask(PING, 'ann');
    const { signal } = connection.get(idOf(0)).stop;
    await connection.send(answerTo(0, 'ann'));
    giveUp();
    expect(signal.aborted).toBe(false);
  });

  it('has nobody to hear what is no answer', async () => {
    const { answer, giveUp } = connection.ask(PING, 'ann');
    await connection.send({ jsonrpc: '2.0', method: 'notifications/message' });
    await connection.send({ ...PING, id: idOf(0) });
    await connection.send({ jsonrpc: '2.0', error: { code: 1, message: 'x' } });
    giveUp();
    expect(await answer).toBeUndefined();
  });
});
