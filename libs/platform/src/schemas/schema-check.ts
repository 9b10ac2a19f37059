/** A task of the thread, as JSON text: to check schemas, or a value by a schema. */
export type SchemaTask =
  { readonly schemas: string } | { readonly schema: string; readonly value: string };

export const END = 'end';

/** The fault, if there is one, as a clause without a full stop; `at` is the index of the faulty schema. */
export interface SchemaAnswer {
  readonly fault?: string | undefined;
  readonly at?: number;
}

/** Sent by the thread: when a task begins, at each schema, and at the end with the CPU time of the task. */
export type SchemaMessage =
  | { readonly began: NodeJS.CpuUsage }
  | { readonly at: number }
  | { readonly answer: SchemaAnswer; readonly usedMs: number };

export const TAKES_TOO_LONG = 'checking them takes too long; send less';
