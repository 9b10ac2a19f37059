import type { PageTool, ToolOptions } from '../client-api.js';
import { type ModelContext, PageTools } from './page-tools.js';

const tool: PageTool = {
  name: 'paint',
  description: 'Paints the page.',
  execute: ({ colour }, { app, signal }) => ({ colour, app, isAborted: signal.aborted }),
};

/** A browser that accepts, refuses or delays tools as a spec decides. */
class TestBrowser implements ModelContext {
  readonly asked: [Parameters<ModelContext['registerTool']>[0], ToolOptions][] = [];
  answer: () => unknown = () => undefined;

  registerTool(...asked: (typeof this.asked)[number]) {
    this.asked.push(asked);
    return this.answer();
  }
}

describe('PageTools in a browser with WebMCP', () => {
  let browser: TestBrowser;
  let tools: PageTools;

  beforeEach(() => {
    browser = new TestBrowser();
    tools = new PageTools(() => browser);
  });

  it('registers with it too, once, with the options, and runs the same', async () => {
    const options = { signal: new AbortController().signal, exposedTo: ['https://a.example'] };
    await tools.register(tool, options);
    expect(browser.asked).toEqual([
      [{ name: 'paint', description: tool.description, execute: expect.any(Function) }, options],
    ]);
    expect(browser.asked[0]?.[0].execute({ colour: 'teal' })).toEqual({
      colour: 'teal',
      app: null,
      isAborted: false,
    });
  });

  it('hands on the signal of its calls, where the browser gives one', async () => {
    await tools.register(tool);
    const { signal } = new AbortController();
    const [ofBrowser] = browser.asked[0] ?? [];
    const given = { signal: AbortSignal.abort() };
    expect(ofBrowser?.execute({}, given)).toMatchObject({ isAborted: true });
    expect(ofBrowser?.execute({}, { signal })).toMatchObject({ isAborted: false });
  });

  it('does not ask it about what is refused here', async () => {
    await tools.register(tool);
    await expect(tools.register(tool)).rejects.toThrow('already');
    await expect(tools.register({ ...tool, name: '' })).rejects.toThrow('name');
    expect(browser.asked).toHaveLength(1);
  });

  it.each([
    ['rejects', () => Promise.reject(new DOMException('no', 'NotAllowedError'))],
    [
      'throws',
      () => {
        throw new DOMException('no', 'NotAllowedError');
      },
    ],
  ])('does not keep what the browser %s', async (_how, answer) => {
    browser.answer = answer;
    await expect(tools.register(tool)).rejects.toMatchObject({ name: 'NotAllowedError' });
    expect([tools.list(), tools.find('paint')]).toEqual([[], undefined]);
    browser.answer = () => undefined;
    await tools.register(tool);
    expect(tools.list()).toHaveLength(1);
  });

  it('offers nothing before the browser has taken it, and keeps the name meanwhile', async () => {
    let take = () => {};
    browser.answer = () => new Promise<void>((resolve) => (take = resolve));
    const registered = tools.register(tool);
    await expect(tools.register(tool)).rejects.toThrow('already');
    expect([tools.list(), tools.find('paint')]).toEqual([[], undefined]);
    take();
    await registered;
    expect(tools.list()).toHaveLength(1);
  });

  it('rejects when it is aborted while the browser thinks, and frees the name', async () => {
    browser.answer = () => new Promise(() => {});
    const here = new AbortController();
    const registered = tools.register(tool, { signal: here.signal });
    here.abort(new Error('gone'));
    await expect(registered).rejects.toThrow('gone');
    expect(tools.list()).toEqual([]);
    browser.answer = () => undefined;
    await tools.register(tool);
  });

  it('offers nothing when it is aborted in the moment that the browser takes it', async () => {
    const here = new AbortController();
    browser.answer = () => here.abort(new Error('gone'));
    await expect(tools.register(tool, { signal: here.signal })).rejects.toThrow('gone');
    expect(tools.list()).toEqual([]);
  });
});
