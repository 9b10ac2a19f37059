import base, { TESTS } from './.dependency-cruiser.mjs';

/** Whose folders are floors: a folder imports only what stands below it. */
const COVERED =
  'libs/accounts|libs/budget|libs/code-runner|libs/mcp|libs/oauth|libs/passkeys|libs/platform|libs/tab-hub|libs/ui-templates';

/** At the root of a lib: what puts its folders together. The other files there stand below all folders. */
const WIRING = '(index|public|[^/]+\\.module)\\.ts$';

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
      from: { path: `^(${COVERED})/src/([^/]+)/` },
      to: { path: '^$1/src/(?!$2/)[^/]+/[^/]+/' },
    },
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
      from: { path: `^(${COVERED})/src/[^/]+\\.ts$`, pathNot: [`/src/${WIRING}`, '^apps/'] },
      to: { path: '^$1/src/[^/]+/' },
    },
  ],
  options: {
    ...base.options,
    exclude: { path: `${base.options.exclude.path}|${TESTS}` },
  },
};
