import type { Implementation } from '@modelcontextprotocol/server';
import type { OAuthOptions } from '../oauth.module-definition.js';

/** What clients show of the server; every answer of 2026-07-28 has it. */
export const serverIdentity = ({
  serviceName,
  mcpServer: { version, websiteUrl, icons = [] } = { version: '0.0.0' },
}: Pick<OAuthOptions, 'serviceName' | 'mcpServer'>): Implementation => ({
  name: serviceName,
  title: serviceName,
  version,
  ...(websiteUrl !== undefined && { websiteUrl }),
  ...(icons.length > 0 && { icons: icons.map((src) => ({ src })) }),
});
