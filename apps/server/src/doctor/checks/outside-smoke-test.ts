import type { Check } from '../check.js';
import { fail, type Finding } from '../finding.js';
import { discoverySteps } from '../smoke-test/discovery-steps.js';
import { type Answer, type Ask, askAt } from '../smoke-test/exchange.js';
import {
  plainHttpFindings,
  signedOut,
  tabUpgrade,
  transportFindings,
} from '../smoke-test/outside-steps.js';
import { unknownClient } from '../smoke-test/sign-in-steps.js';
import { runStep } from '../smoke-test/step.js';
import { isPublicOrigin } from '../../config/variable-rules.js';

const LIMIT_MS = 10_000;

/** Tests a deployed service from outside, as a visitor reaches it; changes nothing there. */
export const outsideSmokeTest = (address: string): Check => {
  const origin = address.replace(/\/$/, '');
  if (!isPublicOrigin(origin)) return { title: 'Address', findings: () => [noOrigin] };
  return { title: origin, limitMs: LIMIT_MS, findings: () => outsideFindings(origin) };
};

const noOrigin = fail(
  'the address is no origin that could be served',
  'give https://<host>, in lower case and without a path; plain http only on loopback',
);

async function* outsideFindings(origin: string): AsyncIterable<Finding> {
  const ask = askAt(origin);
  let first: Answer | undefined;
  const asked = Date.now();
  const reached = await runStep(
    signedOut,
    origin,
    async (question) => (first = await ask(question)),
  );
  const answered = Date.now();
  yield reached;
  if (first !== undefined) yield* transportFindings(first, asked, answered);
  if (reached.severity === 'FAIL') return;
  yield* await inParallel(origin, ask);
  yield* plainHttpFindings(origin, askAt(origin.replace(/^https:/, 'http:')));
}

const inParallel = (origin: string, ask: Ask) =>
  Promise.all(
    [...discoverySteps(origin), unknownClient(origin), tabUpgrade(origin)].map((step) =>
      runStep(step, origin, ask),
    ),
  );
