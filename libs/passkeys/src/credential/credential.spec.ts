import { acceptedTransports } from './credential.js';

describe('transports', () => {
  it.each([
    [
      ['usb', 'nfc'],
      ['usb', 'nfc'],
    ],
    [
      ['smart-card', 'a'.repeat(32)],
      ['smart-card', 'a'.repeat(32)],
    ],
    [['USB', '', 'a'.repeat(33), 'us b', 'usb\n', 7, null, ['usb']], []],
    [[...'abcdefghij'], [...'abcdefgh']],
    [[7, ...'abcdefghij'], [...'abcdefgh']],
    ['usb', []],
    [undefined, []],
    [{ 0: 'usb', length: 1 }, []],
  ])('of %j are %j', (reported, kept) => {
    expect(acceptedTransports(reported)).toEqual(kept);
  });
});
