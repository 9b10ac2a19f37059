interface Members<Value> {
  [name: symbol]: Value | undefined;
}

/**
 * A value kept on a request object, under a private symbol. It is collected together with the request: values of a
 * WeakMap, and a request that such a value references, would survive young collections.
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
