export type FrameErrorCode = 'bad_message' | 'unknown_tab' | 'rate_limited';

/** A frame that the hub does not act on; the tab gets it as `error`, and the connection goes on. */
export class FrameError extends Error {
  override name = 'FrameError';

  constructor(
    readonly code: FrameErrorCode,
    message: string,
    /** The request that the frame was about, when it came too late for it. */
    readonly id?: string,
  ) {
    super(message);
  }
}
