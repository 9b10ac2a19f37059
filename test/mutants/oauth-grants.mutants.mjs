const source = (name) => `libs/oauth/src/${name}.ts`;
const spec = (name) => `libs/oauth/src/${name}.spec.ts`;
const replays = {
  file: source('grants/token-replay.service'),
  project: 'unit',
  specs: spec('oidc-provider/replayed-tokens'),
};

export const mutants = [
  {
    name: 'an answer counts whose session ended meanwhile',
    file: source('consents/consents.service'),
    find: "if (!(await this.sessions.lock(manager, session))) return 'signed-out';",
    replace: '',
    project: 'e2e-embedded',
    specs: 'test/oauth/session-end.e2e-spec.ts',
  },
  {
    name: 'a grant whose answer does not count is left behind',
    file: source('authorization-server/consent-answers.service'),
    find: 'await this.codes.discard(grantId);',
    replace: '',
    project: 'e2e-embedded',
    specs: 'test/oauth/session-end.e2e-spec.ts',
  },
  {
    ...replays,
    name: 'a second exchange of a code revokes the first one while it is under way',
    find: "? 'replayed' : 'in-use'",
    replace: "? 'replayed' : 'replayed'",
  },
  {
    ...replays,
    name: 'a parallel loser of a code revokes the winner',
    file: source('oidc-provider/authorization-code.adapter'),
    find: "if (!(await this.parts.replays.useCode(id))) throw new errors.InvalidGrant('code already used');",
    replace: `if (await this.parts.replays.useCode(id)) return;
    const code = await this.stored(id);
    await this.revokeByGrantId(code?.grantId ?? '');
    throw new errors.InvalidGrant('code already used');`,
  },
  {
    ...replays,
    name: 'every parallel exchange of a code wins',
    find: 'return this.tokens.consumeOnce(code);',
    replace: 'return (await this.tokens.consumeOnce(code)) || true;',
  },
  {
    ...replays,
    name: 'a refresh token that was replaced meanwhile revokes nothing',
    find: 'await this.grants.revoke(found.grantId);',
    replace: '',
  },
  {
    ...replays,
    name: 'a refresh token that was replaced meanwhile is not reported',
    find: 'await this.report(found.grantId);',
    replace: '',
  },
  {
    name: 'replays that the library finds are not reported',
    file: source('oidc-provider/providers.service'),
    find: "if (oidc.route === 'token') void this.replays.report(grantId);",
    replace: "if (oidc.route === 'nowhere') void this.replays.report(grantId);",
    project: 'e2e-embedded',
    specs: 'test/audit/audit-trail.e2e-spec.ts',
  },
  {
    name: 'refresh generations are checked without the lock',
    file: source('grants/refresh-generations.sql'),
    find: 'if (!(await this.lock(manager, presented.grantId))) return false;',
    replace: 'if (presented.grantId === this.lock.name) return false;',
    project: 'unit',
    specs: spec('grants/refresh-generations.sql'),
  },
  {
    name: 'a form of another session is called expired',
    file: source('consents/consents.service'),
    find: "return left.sessionHash === tokenHash ? 'formExpired' : 'otherSession';",
    replace: "return left.sessionHash ? 'formExpired' : 'otherSession';",
    project: 'e2e-embedded',
    specs: 'test/oauth/refusals.e2e-spec.ts',
  },
  {
    name: 'refusals at authorize without the request id',
    file: source('authorization-server/authorize-refusal.filter'),
    find: "const id = response.get('X-Request-Id');",
    replace: "const id = response.get('X-No-Such-Id');",
    project: 'e2e-embedded',
    specs: 'test/oauth/refusals.e2e-spec.ts',
  },
  {
    name: 'the client policy is not asked at authorize',
    file: source('authorization-server/authorization-requests.service'),
    find: 'const reason = await this.policy.refusalOf(client);',
    replace: 'const reason = this.policy ? undefined : String(client);',
    project: 'e2e-embedded',
    specs: 'test/extending/acme.e2e-spec.ts',
  },
  {
    name: 'providers are kept for ever',
    file: source('oidc-provider/providers.service'),
    find: 'max: MAX_PROVIDERS,',
    replace: 'max: 1000 * MAX_PROVIDERS,',
    project: 'unit',
    specs: spec('oidc-provider/providers.service'),
  },
  {
    name: 'a method of the library is replaced whatever its parameters',
    file: source('oidc-provider/replace-methods'),
    find: 'if (method.length === parameters) return;',
    replace: 'if (method.length === parameters || name) return;',
    project: 'unit',
    specs: spec('oidc-provider/replace-methods'),
  },
  {
    name: 'a library whose responses cannot be captured starts',
    file: source('oidc-provider/providers.service'),
    find: "await callProvider(provider, { method: 'GET', target: OAUTH_PATHS.authorize });",
    replace: 'void [provider, callProvider, OAUTH_PATHS];',
    project: 'unit',
    specs: spec('oidc-provider/providers.service'),
  },
];
