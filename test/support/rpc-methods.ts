/** The names of a Durable Object's RPC methods, own and inherited, without the handlers that the runtime calls itself. */
export function rpcMethods(theClass: { readonly prototype: object }): string[] {
  const names = new Set<string>();
  // The last class of ours extends the runtime's `DurableObject`, whose prototype extends `Object`'s.
  for (let at = theClass.prototype; isOurs(at); at = Object.getPrototypeOf(at) as object) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value === "function" && !HANDLERS.has(name)) names.add(name);
    }
  }
  return [...names];
}

const HANDLERS = new Set(["constructor", "alarm", "fetch"]);

function isOurs(prototype: object): boolean {
  const above: unknown = Object.getPrototypeOf(prototype);
  return above !== null && Object.getPrototypeOf(above) !== null;
}
