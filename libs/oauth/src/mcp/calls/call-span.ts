import { inSpan } from '#libs/trace';
import type { Undertaking } from './undertaking.js';

/** Records a call by what the application calls it, and how it ended; nothing of what was asked and answered. */
export const recordCall = <T extends { readonly outcome: string }>(
  { method, label }: Pick<Undertaking<unknown>, 'method' | 'label'>,
  work: () => Promise<T>,
): Promise<T> =>
  inSpan(
    () => ({
      name: `${method} ${label}`,
      kind: 'internal',
      attributes: { 'mcp.method.name': method, 'gatehouse.called': label },
    }),
    async (span) => {
      const attempt = await work();
      span?.set({ 'gatehouse.outcome': attempt.outcome });
      if (attempt.outcome === 'failed') span?.end('failed');
      return attempt;
    },
  );
