const SECOND_MS = 1_000;
/** `2026-11-22T05:30:00.` */
const TO_MILLISECONDS = 20;

/** The time of a line as pino expects it: ISO 8601 in UTC. All but the milliseconds is computed once a second. */
export function timestamps(now: () => number = Date.now): () => string {
  let second = Number.NaN;
  let beginning = '';
  return () => {
    const time = now();
    const milliseconds = time % SECOND_MS;
    if (time - milliseconds !== second) {
      second = time - milliseconds;
      beginning = new Date(second).toISOString().slice(0, TO_MILLISECONDS);
    }
    return `,"time":"${beginning}${String(milliseconds).padStart(3, '0')}Z"`;
  };
}
