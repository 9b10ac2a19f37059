const MAX_PARAMETERS = 64;

/** Whether the query of a request target has more than 64 parameters; repeated ones count each time. */
export function hasLongQuery(target: string): boolean {
  const queryAt = target.indexOf('?');
  if (queryAt < 0) return false;
  const parameters = target.slice(queryAt + 1).split('&');
  return parameters.filter((parameter) => parameter !== '').length > MAX_PARAMETERS;
}
