import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { findFreePort } from '#libs/platform/testing';
import { Approver } from './approver.js';
import { ConformanceSuite } from './conformance-suite.js';

describe('@modelcontextprotocol/conformance authorization', () => {
  const gatehouse = useGatehouse();
  let suite: ConformanceSuite;

  afterEach(() => suite.stop());

  it.each(['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
    'passes all of revision %s',
    async (revision) => {
      const port = await findFreePort();
      const redirectUri = `http://127.0.0.1:${port}/callback`;
      const client = await OAuthClient.register(gatehouse, { redirect_uris: [redirectUri] });
      const approver = await Approver.create(gatehouse);
      suite = new ConformanceSuite('authorization', {
        url: gatehouse.origin,
        'client-id': client.id,
        resource: `${gatehouse.origin}/svc/mcp`,
        port: String(port),
        'spec-version': revision,
      });
      const { exitCode, output } = await suite.finish(async (line) => {
        if (!line.startsWith(`${gatehouse.origin}/svc/oauth/authorize?`)) return;
        await fetch(await approver.visit(line));
      });
      expect(output).toMatch(/^Total: [1-9]\d* passed, 0 failed$/m);
      expect(output).not.toMatch(/skipped|warning/i);
      expect(exitCode).toBe(0);
    },
  );
});
