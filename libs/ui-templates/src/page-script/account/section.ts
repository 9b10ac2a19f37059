/** Requests a path; the sections of one load share its answers. Throws Refusal. */
export type Get = <Answer>(path: string) => Promise<Answer>;

/** One section of the page, with the id of its markup. */
export interface Section {
  readonly id: string;
  /** Requests the section's data; the returned function shows it. */
  load(get: Get): Promise<() => void>;
}
