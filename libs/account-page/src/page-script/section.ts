/** Asks the service; the answers of one round are shared between sections. Throws Refusal. */
export type Get = <Answer>(path: string) => Promise<Answer>;

/** One section of the page, of the id that its markup has. */
export interface Section {
  readonly id: string;
  /** Gets what the section shows; what it returns then shows it. */
  load(get: Get): Promise<() => void>;
}
