interface Store<State> {
  get(): State;
  set(state: State): void;
  /** @returns the unsubscribe function */
  subscribe(listener: () => void): () => void;
}

/** A value outside React, for `useSyncExternalStore`. */
export function createStore<State>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(next) {
      if (Object.is(next, state)) return;
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
