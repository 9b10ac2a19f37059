import { refusal, toolResult } from '../tool.js';

const HALF = '\ud83d';

describe('the result of a tool', () => {
  it.each([
    [{ title: `cut ${HALF}` }, { title: 'cut \ufffd' }],
    [{ [HALF]: [`\udc00${HALF}x`] }, { '\ufffd': ['\ufffd\ufffdx'] }],
    [
      { path: 'C:\\ud83d', more: `\\${HALF}` },
      { path: 'C:\\ud83d', more: '\\\ufffd' },
    ],
    [{ whole: '😀 é \\' }, { whole: '😀 é \\' }],
    [undefined, {}],
  ])('has no half characters: %j', (output, expected) => {
    const { content, structuredContent } = toolResult(output);
    expect(structuredContent).toEqual(expected);
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(expected) }]);
  });

  it('has none in plain text and refusals either, wherever these are cut', () => {
    const cut = refusal(`${'x'.repeat(999)}😀`);
    expect(cut.content).toEqual([{ type: 'text', text: `${'x'.repeat(999)}\ufffd…` }]);
    expect(toolResult(HALF).content).toEqual([{ type: 'text', text: '\ufffd' }]);
  });
});
