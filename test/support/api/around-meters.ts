interface Moments {
  readonly before?: () => Promise<void>;
  readonly after?: () => Promise<void>;
}

/** Accounts' objects with something that happens before or after a method. */
export function around(
  meters: Env["ACCOUNT_METER"],
  name: "setPassword" | "resetPassword" | "admit" | "changeVisibility",
  { before, after }: Moments,
): Env["ACCOUNT_METER"] {
  return new Proxy(meters, {
    get: (target, property) => {
      if (property !== "getByName") return Reflect.get(target, property);
      return (id: string) =>
        new Proxy(target.getByName(id), {
          get: (stub, method) => {
            const member = Reflect.get(stub, method);
            if (method !== name) return member;
            return async (...args: unknown[]) => {
              await before?.();
              const result = await Reflect.apply(member, stub, args);
              await after?.();
              return result;
            };
          },
        });
    },
  });
}
