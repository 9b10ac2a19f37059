/** `ok`: as it should be. `warn`: works, but probably not as intended. `FAIL`: does not work. */
export type Severity = 'ok' | 'warn' | 'FAIL';

/** One result of the doctor; the remedy says what to do about it. */
export interface Finding {
  readonly severity: Severity;
  readonly text: string;
  readonly remedy?: string;
}

export const ok = (text: string): Finding => ({ severity: 'ok', text });

export const warn = (text: string, remedy: string): Finding => ({ severity: 'warn', text, remedy });

export const fail = (text: string, remedy: string): Finding => ({ severity: 'FAIL', text, remedy });
