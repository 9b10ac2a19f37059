import { Injectable, type Provider, Scope } from '@nestjs/common';
import { ResourceServer } from '../testbed/resource-server.testbed.js';
import type { McpCaller } from '../call.js';
import { McpTool } from '../tool.js';

const options = {
  name: 'greet',
  title: 'Greet',
  description: 'Says hello.',
  scope: 'account:read',
  inputSchema: { type: 'object' },
} as const;

@Injectable()
class Greeter {
  private readonly words = 'hello';

  @McpTool(options)
  greet(_input: object, { user }: McpCaller) {
    return `${this.words} ${user.displayName}`;
  }
}

@Injectable()
class LouderGreeter extends Greeter {}

@Injectable()
class Stranger {
  @McpTool({ ...options, name: 'enter', scope: 'house:enter' })
  enter(_input: object, _caller: McpCaller) {
    return 'in';
  }
}

describe('tools of an application', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'greet' } };

  it.each<[string, Provider[]]>([
    ['are found in any module', [Greeter]],
    ['are inherited', [LouderGreeter]],
    ['count once under two tokens', [Greeter, { provide: 'alias', useExisting: Greeter }]],
    [
      'may be values, beside values of any kind',
      [
        { provide: 'value', useValue: new Greeter() },
        { provide: 'nothing', useValue: null },
        { provide: 'bare', useValue: Object.create(null) },
        { provide: 'function', useValue: () => 'x' },
        { provide: 'shadowed', useValue: Object.assign(new Map(), { get: 7, set: undefined }) },
      ],
    ],
  ])('%s', async (_what, providers) => {
    const server = await ResourceServer.start(...providers);
    const response = await server.post(await server.give('good'), call);
    expect(await response.json()).toMatchObject({ result: { content: [{ text: 'hello Ann' }] } });
    await server.close();
  });

  it.each<[string, Provider[], string]>([
    ['two of one name', [Greeter, LouderGreeter], 'has the name of another tool, Greeter.greet'],
    ['an unknown scope', [Stranger], '"enter" (Stranger.enter) needs the scope "house:enter"'],
    [
      'one made anew for every request',
      [{ provide: Greeter, useClass: Greeter, scope: Scope.REQUEST }],
      'needs a provider of default scope',
    ],
    [
      'one made anew for everyone',
      [{ provide: Greeter, useClass: Greeter, scope: Scope.TRANSIENT }],
      'needs a provider of default scope',
    ],
  ])('stop the start with %s', async (_what, providers, words) => {
    await expect(ResourceServer.start(...providers)).rejects.toThrow(words);
  });
});
