interface Members<Value> {
  [name: symbol]: Value | undefined;
}

/**
 * Something that is known of a request, as a member of it that nobody else can name. It goes with its
 * request: what a WeakMap holds, and a request that this knows, would outlive all that is young.
 */
export class RequestMember<Value> {
  private readonly name = Symbol('member');

  get(request: object): Value | undefined {
    return (request as Members<Value>)[this.name];
  }

  set(request: object, value: Value): void {
    (request as Members<Value>)[this.name] = value;
  }
}
