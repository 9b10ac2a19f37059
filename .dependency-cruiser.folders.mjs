import base, { TESTS } from './.dependency-cruiser.mjs';

/** Whose folders are floors: a folder imports only what stands below it. */
const COVERED =
  'apps/server|libs/accounts|libs/budget|libs/code-runner|libs/mcp|libs/oauth|libs/passkeys|libs/platform|libs/tab-hub|libs/ui-templates';

/** At the root of a lib: what puts its folders together. The other files there stand below all folders. */
const WIRING = '(index|public|[^/]+\\.module)\\.ts$';

/** The folders of the app, each above those before it: others import their inner folders, so circles do not tell. */
const APP_FLOORS =
  'config outbox audit tools export http observability admin doctor console cli'.split(' ');
const floorsOfApp = (count) => `^apps/server/src/(${APP_FLOORS.slice(0, count).join('|')})/`;

/** Declares the type of all options, those of the three folders included. */
const OAUTH_OPTIONS = '^libs/oauth/src/oauth\\.module-definition\\.ts$';
const CONFIGURED_BY_OAUTH_OPTIONS = '^libs/oauth/src/(client-document|resource|signing)/';

/** Apart from the other rules, as specs do not count here: what a folder imports is the sum of its files. */
export default {
  forbidden: [
    {
      name: 'folders-are-floors',
      comment: 'folders import each other in one direction only',
      severity: 'error',
      scope: 'folder',
      from: { path: `^(${COVERED})/src/` },
      to: { circular: true },
    },
    {
      name: 'inner-folders-are-private',
      comment: 'a folder counts for its inner folders only where others import the folder itself',
      severity: 'error',
      from: { path: `^(${COVERED})/src/([^/]+)/`, pathNot: '^apps/' },
      to: { path: '^$1/src/(?!$2/)[^/]+/[^/]+/' },
    },
    ...APP_FLOORS.map((floor, at) => ({
      name: `floor-of-app-${floor}`,
      comment: `apps/server/src/${floor} imports only the folders before it in APP_FLOORS`,
      severity: 'error',
      from: { path: `^apps/server/src/${floor}/` },
      to: { path: '^apps/server/src/[^/]+/', pathNot: floorsOfApp(at + 1) },
    })),
    {
      name: 'wiring-above-folders',
      severity: 'error',
      from: { path: `^(${COVERED})/src/[^/]+/`, pathNot: '^apps/' },
      to: { path: `^$1/src/${WIRING}` },
    },
    {
      name: 'root-below-folders',
      comment: 'what folders import from the root of their lib imports no folder',
      severity: 'error',
      from: {
        path: `^(${COVERED})/src/[^/]+\\.ts$`,
        pathNot: [`/src/${WIRING}`, '^apps/', OAUTH_OPTIONS],
      },
      to: { path: '^$1/src/[^/]+/' },
    },
    {
      name: 'oauth-options-above-what-they-configure',
      comment: 'the options of OAuth are a floor: above these three folders, below all others',
      severity: 'error',
      from: { path: OAUTH_OPTIONS },
      to: { path: '^libs/oauth/src/[^/]+/', pathNot: CONFIGURED_BY_OAUTH_OPTIONS },
    },
    {
      name: 'configured-below-oauth-options',
      comment: 'see oauth-options-above-what-they-configure',
      severity: 'error',
      from: { path: CONFIGURED_BY_OAUTH_OPTIONS },
      to: { path: OAUTH_OPTIONS, reachable: true },
    },
  ],
  options: {
    ...base.options,
    exclude: { path: `${base.options.exclude.path}|${TESTS}` },
  },
};
