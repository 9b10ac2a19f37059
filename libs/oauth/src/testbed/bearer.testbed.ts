/** A token of our form, by a name for it; what is too long for that, or can be no token, stays. */
export const tokenOf = (name: string) => (/^[a-z0-9-]+$/i.test(name) ? name.padEnd(43, '_') : name);

/** What a request says to show such a token. */
export const bearer = (name: string) => `Bearer ${tokenOf(name)}`;
