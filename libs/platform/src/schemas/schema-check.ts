/** What the thread is to look at, as JSON text: schemas, or a value by a schema. */
export type SchemaTask =
  { readonly schemas: string } | { readonly schema: string; readonly value: string };

/** What of it is wrong, if anything: a clause without a full stop, and of which schema. */
export interface SchemaAnswer {
  readonly fault?: string | undefined;
  readonly at?: number;
}

/** What the thread says: that it began, after it used so much of a processor, and what it found, after so much more. */
export type SchemaMessage =
  { readonly began: NodeJS.CpuUsage } | { readonly answer: SchemaAnswer; readonly usedMs: number };

export const TAKES_TOO_LONG = 'checking them takes too long; send less';
