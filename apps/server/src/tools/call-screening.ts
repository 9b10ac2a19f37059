import { Injectable } from '@nestjs/common';
import { ScreeningService } from '#libs/code-runner';
import { CallScreening, type McpCaller, ToolError } from '#libs/mcp';

/** A person is shown no arguments that the service does not allow. The call itself is screened, and charged, as ever. */
@Injectable()
export class ArgumentScreening extends CallScreening {
  constructor(private readonly screening: ScreeningService) {
    super();
  }

  override async expectAllowed(input: unknown, { user, app }: McpCaller) {
    const isAllowed = await this.screening
      .allows({ userId: user.id, app, value: input })
      .catch(() => undefined);
    if (isAllowed) return;
    throw new ToolError(
      isAllowed === undefined
        ? 'Content cannot be screened right now, so nothing was asked; try again later.'
        : "The user's service does not allow this content; rephrase it.",
    );
  }
}
