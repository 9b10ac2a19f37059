import { Cancellations } from './cancellations.js';

/** For a deployment with one replica. */
export class InProcessCancellations extends Cancellations {
  override publish() {}

  override listen() {}
}
