/** Tells all replicas that requests of an account have changed. A lost signal delays: waiting calls look by themselves. */
export abstract class ApprovalSignals {
  static readonly portOf = 'oauth';

  /** Never throws, and does not wait for the delivery. */
  abstract publish(userId: string): void;

  /** Calls `listener` for what any replica publishes, this one included. Called once, at the start. */
  abstract listen(listener: (userId: string) => void): void;
}

export class InProcessApprovalSignals extends ApprovalSignals {
  private listener: (userId: string) => void = () => undefined;

  override publish(userId: string) {
    this.listener(userId);
  }

  override listen(listener: (userId: string) => void) {
    this.listener = listener;
  }
}
