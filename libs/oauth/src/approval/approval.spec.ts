import {
  type Approval,
  APPROVAL_LIFETIME_MS,
  type CallToApprove,
  callHashOf,
  ENDED_KEPT_MS,
  isOpen,
  shownArguments,
  subjectOf,
  toRequest,
} from './approval.js';

const call = {
  grantId: 'grant-1',
  method: 'tools/call',
  name: 'send_mail',
  input: { to: 'ann', copies: [1, 2], quiet: false },
  needsPasskey: false,
} satisfies Partial<CallToApprove>;

describe('what was allowed once', () => {
  it('is good for the same call with its members in another order', () => {
    const input = { quiet: false, copies: [1, 2], to: 'ann' };
    expect(callHashOf({ ...call, input })).toBe(callHashOf(call));
  });

  it.each<[string, Partial<CallToApprove>]>([
    ['of another connection', { grantId: 'grant-2' }],
    ['of another method', { method: 'prompts/get' }],
    ['of another tool', { name: 'send_mail2' }],
    ['that needs a passkey since then', { needsPasskey: true }],
    ['without arguments', { input: undefined }],
    ['with another value', { input: { ...call.input, to: 'bob' } }],
    ['with a value of another type', { input: { ...call.input, quiet: 'false' } }],
    ['with one more member', { input: { ...call.input, from: null } }],
    ['with elements in another order', { input: { ...call.input, copies: [2, 1] } }],
    ['with a number that JSON cannot say', { input: { ...call.input, copies: [1, Infinity] } }],
  ])('is not good for a call %s', (_other, changed) => {
    expect(callHashOf({ ...call, ...changed })).not.toBe(callHashOf(call));
  });

  it('tells values apart that JSON would write alike', () => {
    const hashes = [null, Infinity, -Infinity].map((input) => callHashOf({ ...call, input }));
    expect(new Set(hashes).size).toBe(3);
  });

  it('is kept as a SHA-256', () => {
    expect(callHashOf(call)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });
});

describe('the arguments that a person sees', () => {
  it.each([
    ['as they were sent', { a: [1, null] }, '{"a":[1,null]}'],
    ['none', undefined, '{}'],
    ['numbers that JSON cannot say', [Infinity, -Infinity, 1], '["Infinity","-Infinity",1]'],
    ['4 KiB of JSON', 'x'.repeat(4094), `"${'x'.repeat(4094)}"`],
  ])('%s', (_what, input, text) => {
    expect(shownArguments(input)).toEqual({ arguments: text, isTruncated: false });
  });

  it('are the first 4 KiB of longer ones, as one text', () => {
    expect(shownArguments('x'.repeat(4095))).toEqual({
      arguments: JSON.stringify(`"${'x'.repeat(4095)}`),
      isTruncated: true,
    });
  });

  it('end before a character that would be cut in two', () => {
    expect(shownArguments(`${'x'.repeat(4094)}é`)).toEqual({
      arguments: JSON.stringify(`"${'x'.repeat(4094)}`),
      isTruncated: true,
    });
  });
});

it('a request is open for ten minutes, and can be seen for an hour after its end', () => {
  expect([APPROVAL_LIFETIME_MS, ENDED_KEPT_MS]).toEqual([600_000, 3_600_000]);
});

it('a passkey signs for one request of one call on one tab', () => {
  const request = { id: 'r', callHash: 'h', tab: 't' };
  expect(subjectOf(request)).toBe('request r h t');
  expect(subjectOf({ ...request, tab: null })).toBe('request r h ');
});

describe('a request as its person sees it', () => {
  const approval: Approval = {
    id: 'r',
    grantId: 'g',
    userId: 'u',
    callHash: 'h',
    app: 'Mailer',
    published: 'mailer.example',
    kind: 'call',
    scope: 'tabs:write',
    method: 'tools/call',
    name: 'send_mail',
    title: 'Send mail',
    tab: 't',
    page: '{"tab":"t","title":"Mail","url":"https://mail.example/"}',
    arguments: '{"to":"ann"}',
    isTruncated: false,
    needsPasskey: true,
    mayAllowAlways: false,
    state: 'open',
    createdAt: 1_999,
    expiresAt: 600_999,
    decidedAt: null,
    spentAt: null,
    isByPasskey: false,
    sweepAt: 9_000_000,
  };

  it('has its call and its times, and neither its tab nor its hash', () => {
    expect(toRequest(approval)).toEqual({
      id: 'r',
      connection: 'g',
      app: 'Mailer',
      published: 'mailer.example',
      kind: 'call',
      scope: 'tabs:write',
      method: 'tools/call',
      name: 'send_mail',
      title: 'Send mail',
      page: { title: 'Mail', url: 'https://mail.example/' },
      arguments: { to: 'ann' },
      truncated: false,
      passkey: true,
      createdAt: 1,
      expiresAt: 600,
      state: 'open',
    });
  });

  it('has neither page nor arguments where there are none', () => {
    const request = toRequest({ ...approval, page: null, arguments: null });
    expect(request).toMatchObject({ page: null, arguments: null });
  });

  it('can be decided while it is open', () => {
    const states = ['open', 'once', 'always', 'no', 'expired'] as const;
    expect(states.filter((state) => isOpen({ state }))).toEqual(['open']);
  });
});
