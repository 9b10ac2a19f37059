/** A brand that cannot be shown; the message is one line for the operator who starts the service. */
export class BrandError extends TypeError {
  override readonly name = 'BrandError';
}
