import { ConfigError, readConfig } from './config.js';

const SECRET = `whsec_${btoa('a secret of twenty-four!')}`;
const GOOD = { EVENTS_WEBHOOK_URL: 'https://events.example', EVENTS_WEBHOOK_SECRET: SECRET };

const read = (variables: Record<string, string>) => () => readConfig(variables);

describe('a webhook for events', () => {
  it.each([
    ['EVENTS_WEBHOOK_URL', 'http://events.example/hook'],
    ['EVENTS_WEBHOOK_URL', 'http://10.0.0.1/hook'],
    ['EVENTS_WEBHOOK_URL', 'https://gate:secret@events.example/hook'],
    ['EVENTS_WEBHOOK_URL', 'https://secret@events.example/hook'],
    ['EVENTS_WEBHOOK_URL', 'events.example'],
    ['EVENTS_WEBHOOK_URL', 'file:///etc/passwd'],
    ['EVENTS_WEBHOOK_SECRET', 'secret'],
    ['EVENTS_WEBHOOK_SECRET', `whsec_${btoa('x'.repeat(23))}`],
    ['EVENTS_WEBHOOK_SECRET', `whsec_${btoa('x'.repeat(65))}`],
    ['EVENTS_WEBHOOK_SECRET', `${SECRET}A`],
    ['EVENTS_WEBHOOK_SECRET', `${SECRET} ${SECRET}`],
    ['EVENTS_WEBHOOK_SECRET', `${SECRET},${btoa('x'.repeat(32))}`],
    ['EVENTS_WEBHOOK_SECRET', Array.from({ length: 5 }, () => SECRET).join()],
  ])('is not %s=%s', (variable, value) => {
    const problem = expect.stringMatching(new RegExp(`^${variable} takes .+`));
    expect(read({ ...GOOD, [variable]: value })).toThrow(
      expect.objectContaining({ problems: [problem] }),
    );
  });

  it.each([
    ['EVENTS_WEBHOOK_URL', 'http://127.0.0.1:9/'],
    ['EVENTS_WEBHOOK_SECRET', SECRET],
  ])('is not half of one: %s', (variable, value) => {
    expect(read({ [variable]: value })).toThrow(
      new ConfigError([
        'EVENTS_WEBHOOK_URL and EVENTS_WEBHOOK_SECRET take effect together only; set both',
      ]),
    );
  });
});
