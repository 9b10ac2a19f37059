/**
 * A tool throws this when it cannot do what it was asked, for an expected reason. The message goes to
 * the model: one sentence that says what to do.
 */
export class ToolError extends Error {
  override name = 'ToolError';
}
