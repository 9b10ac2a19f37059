/** What an app wants to bring in, on whose behalf. */
export interface ScreenedContent {
  readonly userId: string;
  /** The app's name, as its user saw it. */
  readonly app: string;
  /** Never empty, and never longer than what a tool takes. */
  readonly text: string;
}

export type ScreeningResult = 'accepted' | 'refused';

/**
 * Decides whether content of an app may reach its user's tabs or be run.
 *
 * Called in parallel, by any number of callers. A screener that cannot decide rejects, within a few
 * seconds: content without a result goes nowhere. It must not hold up the event loop. When `signal` fires
 * nobody waits for the result any more, and it may stop.
 */
export abstract class ContentScreener {
  static readonly portOf = 'screening';

  abstract screen(content: ScreenedContent, signal?: AbortSignal): Promise<ScreeningResult>;
}
