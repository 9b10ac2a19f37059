/** `ok`: as it should be. `warn`: works, but probably not as meant. `FAIL`: does not work. */
export type Mark = 'ok' | 'warn' | 'FAIL';

/** One thing that the doctor found out; the remedy says what to do about it. */
export interface Finding {
  readonly mark: Mark;
  readonly text: string;
  readonly remedy?: string;
}

export const ok = (text: string): Finding => ({ mark: 'ok', text });

export const warn = (text: string, remedy: string): Finding => ({ mark: 'warn', text, remedy });

export const fail = (text: string, remedy: string): Finding => ({ mark: 'FAIL', text, remedy });
