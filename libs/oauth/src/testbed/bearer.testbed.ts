/** A token of our form derived from a name; a name that is too long or no valid token stays as it is. */
export const tokenOf = (name: string) => (/^[a-z0-9-]+$/i.test(name) ? name.padEnd(43, '_') : name);

/** The `Authorization` value with such a token. */
export const bearer = (name: string) => `Bearer ${tokenOf(name)}`;
