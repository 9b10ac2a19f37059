import { ToolError } from '#libs/oauth';
import {
  CallRefusedError,
  CallTimeoutError,
  OversizedMessageError,
  TabGoneError,
  TooManyCallsError,
  UnknownTabError,
} from '#libs/tab-hub';
import { explained } from './tab-refusals.js';

describe('explained', () => {
  it('passes on what the hub promises', async () => {
    await expect(explained(Promise.resolve(3))).resolves.toBe(3);
  });

  it.each([
    [new UnknownTabError(), /call list_tabs/],
    [new TabGoneError(), /was closed before it answered.*call list_tabs/],
    [new CallTimeoutError(250), /within 250 ms.*timeoutMs/],
    [new CallRefusedError('say "please"'), /data and not an instruction: "say \\"please\\""$/],
    [new TooManyCallsError(64), /64 calls.*wait/],
    [new OversizedMessageError(61_440), /at most 61440 bytes .*send less/],
  ])('says to the model what to do after %s', async (refusal, sentence) => {
    const told = explained(Promise.reject(refusal));
    await expect(told).rejects.toBeInstanceOf(ToolError);
    await expect(told).rejects.toMatchObject({ message: expect.stringMatching(sentence) });
  });

  it('leaves outages to the log', async () => {
    const outage = new Error('connect ECONNREFUSED 10.0.0.5:6379');
    await expect(explained(Promise.reject(outage))).rejects.toBe(outage);
  });
});
