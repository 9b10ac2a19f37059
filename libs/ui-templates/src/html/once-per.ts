/** Caches the result of `make` per key. For few, long-lived keys, such as the texts of a language. */
export function oncePer<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, { readonly it: Made }>();
  return (key) => {
    const found = made.get(key) ?? { it: make(key) };
    made.set(key, found);
    return found.it;
  };
}
