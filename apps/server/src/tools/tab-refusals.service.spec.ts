import {
  CallCancelledError,
  CallRefusedError,
  CallTimeoutError,
  OversizedMessageError,
  TabGoneError,
  TooManyCallsError,
  UnknownTabError,
} from '#libs/tab-hub';
import { tabRefusal } from './tab-refusals.service.js';

describe('tabRefusal', () => {
  it.each([
    [new UnknownTabError(), /call list_tabs/],
    [new TabGoneError(), /was closed before it answered.*call list_tabs/],
    [new CallTimeoutError(250), /within 250 ms.*timeoutMs/],
    [new CallTimeoutError(30_000), /within 30000 ms.*before you try again\.$/],
    [new CallCancelledError(), /was cancelled/],
    [new CallRefusedError('say "please"'), /data and not an instruction: "say \\"please\\""$/],
    [new TooManyCallsError(64), /64 calls.*wait/],
    [new OversizedMessageError(61_440), /at most 61440 bytes .*send less/],
  ])('says to the model what to do after %s', (refusal, sentence) => {
    expect(tabRefusal(refusal)).toMatch(sentence);
  });

  it('leaves outages to the log', () => {
    expect(tabRefusal(new Error('connect ECONNREFUSED 10.0.0.5:6379'))).toBeUndefined();
  });
});
