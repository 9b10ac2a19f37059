export const OAUTH_PATHS = {
  authorize: '/svc/oauth/authorize',
  token: '/svc/oauth/token',
  register: '/svc/oauth/register',
  revoke: '/svc/oauth/revoke',
} as const;
