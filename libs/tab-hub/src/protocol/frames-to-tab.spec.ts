import { textFrame } from './frames-to-tab.js';

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
