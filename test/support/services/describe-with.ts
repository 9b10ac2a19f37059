import { describeWith, findChromium } from '#libs/platform/testing';

export { describeWithPostgres, describeWithRedis } from '#libs/platform/testing';

/** Like `describe`, but skipped when this machine has no Chromium. */
export const describeWithChromium = describeWith(findChromium() !== undefined, 'chromium');

/** Like `it`, for tests that advance the clock; skipped where a server's clock decides. */
export const itWithClock = (title: string, test: () => Promise<void>): void => {
  if ((globalThis.STORAGE ?? 'embedded') === 'embedded') it(title, test);
  else it.skip(`${title} (left out: the clock of ${globalThis.STORAGE} cannot be moved)`, test);
};
