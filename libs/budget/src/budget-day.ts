/** The UTC day of a moment as `YYYY-MM-DD`; later days compare greater as text. */
export const budgetDay = (at: Date): string => at.toISOString().slice(0, 10);

/** The last day that was asked for: nearly every call asks for the same one. */
let known: { day: string; end: string } | undefined;

/** When the budget of `day` is renewed: the next 00:00 UTC, as ISO 8601. */
export function resetsAt(day: string): string {
  // Stryker disable next-line ConditionalExpression: without the check the same end is computed again.
  if (known?.day !== day) known = { day, end: endOf(day) };
  return known.end;
}

function endOf(day: string): string {
  const end = new Date(`${day}T00:00:00.000Z`);
  end.setUTCDate(end.getUTCDate() + 1);
  return end.toISOString();
}
