import { Injectable } from '@nestjs/common';
import { ScreeningService } from '#libs/code-runner';
import { CallScreening, type McpCaller, ToolError } from '#libs/mcp';
import { type Flow, TokenBuckets } from '#libs/platform';

/** Questions of a connection, on a replica: they are free, and few become requests. */
const QUESTIONS: Flow = { atOnce: 64, perSecond: 1 };

/** A person is shown no arguments that the service does not allow. The call itself is screened, and charged, as ever. */
@Injectable()
export class ArgumentScreening extends CallScreening {
  private readonly questions = new TokenBuckets(QUESTIONS);

  constructor(private readonly screening: ScreeningService) {
    super();
  }

  override async expectAllowed(input: unknown, { user, app, grantId }: McpCaller) {
    if (!this.questions.of(grantId).take(1))
      throw new ToolError(TOO_MANY, { reason: 'too many at once' });
    const isAllowed = await this.screening
      .allows({ userId: user.id, app, value: input })
      .catch(() => undefined);
    if (isAllowed) return;
    throw new ToolError(
      isAllowed === undefined
        ? 'Content cannot be screened right now, so nothing was asked; try again later.'
        : "The user's service does not allow this content; rephrase it.",
      { reason: 'screened out' },
    );
  }
}

const TOO_MANY =
  'Too many calls that need a yes of the user came at once, so nothing was asked; wait a minute before you try again.';
