/** Content that an app wants to pass on, and the user it acts for. */
export interface ScreenedContent {
  /** Of a machine client, which acts for no user, `client:` and its id. */
  readonly userId: string;
  /** Left out where the app acts for a user. */
  readonly isMachine?: true | undefined;
  /** The app's name as shown to its user. */
  readonly app: string;
  /** Never empty, and never longer than a tool accepts. */
  readonly text: string;
}

export type ScreeningResult = 'accepted' | 'refused';

/**
 * Decides whether content of an app may reach its user's tabs or be run.
 *
 * Called in parallel, by any number of callers. A screener that cannot decide rejects, within a few seconds:
 * content without a result is not passed on. It must not block the event loop. When `signal` fires, the caller no
 * longer waits for the result, and the screener may stop.
 */
export abstract class ContentScreener {
  static readonly portOf = 'screening';

  abstract screen(content: ScreenedContent, signal?: AbortSignal): Promise<ScreeningResult>;
}
