import { Cancellations } from './cancellations.js';

/** For a replica that is alone. */
export class InProcessCancellations extends Cancellations {
  override publish() {}

  override listen() {}
}
