import { RefusalError } from '#libs/accounts';
import {
  AUTHORIZE_REFUSALS,
  authorizeRefusal,
  type AuthorizeRefusal,
  faultyRequest,
  clientNotAllowed,
  unreadableAnswer,
} from './authorize-refusals.js';

const causes = Object.keys(AUTHORIZE_REFUSALS) as AuthorizeRefusal[];

const STATUSES: Readonly<Partial<Record<AuthorizeRefusal, number>>> = {
  foreignAnswer: 403,
  scriptedAnswer: 403,
  sessionOver: 401,
  notFresh: 403,
};

describe('refusals of the authorization endpoint', () => {
  it.each(causes)('%s: whole sentences that say what happened and what to do', (cause) => {
    const { happened, next } = AUTHORIZE_REFUSALS[cause];
    expect(happened).toMatch(/^[A-Z].*[^.]\.$/);
    expect(next).toMatch(/^(Start|Have|Try|See|Open|Ask) .*[^.]\.$/);
    const status = STATUSES[cause] ?? 400;
    expect(authorizeRefusal(cause)).toMatchObject({ status, message: `${happened} ${next}` });
  });

  it('no two causes share a sentence', () => {
    const sentences = causes.map((cause) => AUTHORIZE_REFUSALS[cause].happened);
    expect(new Set(sentences).size).toBe(causes.length);
  });

  it('what others say is part of a sentence that says what to do', () => {
    for (const { status, message } of [
      faultyRequest('redirect_uri is missing'),
      clientNotAllowed('robots are not welcome'),
      unreadableAnswer(new RefusalError(413, 'request too large')),
    ]) {
      expect([400, 413]).toContain(status);
      expect(message).toMatch(/^[A-Z][^.]+(missing|welcome|large)\. (Start|Ask) .*\.$/);
    }
  });
});
