/**
 * Thrown by a tool that cannot do what it was asked, for a reason that it foresaw. The message goes
 * to the model: one sentence that says what to do.
 */
export class ToolError extends Error {
  override name = 'ToolError';
}
