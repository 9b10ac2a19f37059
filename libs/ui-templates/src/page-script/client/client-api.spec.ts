import { gzipSync } from 'node:zlib';
import { pageBridge, pageClient, pageClientTypes } from '#page-scripts';
import type * as Api from './client-api.js';
import type * as Module from './client.js';

type Fits<Given, Wanted> = Given extends Wanted ? true : never;

const declared = () =>
  [...pageClientTypes.matchAll(/^export declare (?:const|function|class) (\w+)/gm)].map(
    ([, name]) => name,
  );

const exported = () => {
  const [, names = ''] = /export\{([^}]+)\};?$/.exec(pageClient) ?? [];
  return names.split(',').map((name) => name.split(' as ').at(-1));
};

describe('the declarations of the page client', () => {
  it('name all that the module has, and nothing else', () => {
    expect(declared().toSorted()).toEqual(exported().toSorted());
    expect(declared()).toContain('registerTool');
  });

  it('are of its types: the compiler says so', () => {
    const isModule: Fits<typeof Module, Omit<typeof Api, 'Refusal'>> = true;
    const isRefusal: Fits<Module.Refusal, Api.Refusal> = true;
    // The input type of a tool is optional.
    const tools = ({ registerTool }: typeof Api) => [
      registerTool({ name: 'a', description: 'x', execute: (input) => input['text'] }),
      registerTool({ name: 'b', description: 'x', execute: ({ text }: { text: string }) => text }),
    ];
    expect([isModule, isRefusal, tools.length]).toEqual([true, true, 1]);
  });

  it('are of a module that takes at most 9 KiB with gzip', () => {
    expect(gzipSync(pageClient).length).toBeLessThanOrEqual(9 * 1024);
  });

  it('are of the module that the bridge imports, which takes at most 1 KiB beside it', () => {
    expect(gzipSync(pageBridge).length).toBeLessThanOrEqual(1024);
    const [, name = '', from] =
      /^import\s?{\s?(\w+)\s?}\s?from\s?["'](.+?)["'];/.exec(pageBridge) ?? [];
    expect(declared()).toContain(name);
    expect(from).toBe('./client.js');
  });

  it('stand by themselves', () => {
    expect(pageClientTypes).not.toMatch(/^import|from '\.|#libs|= \(/m);
  });
});
