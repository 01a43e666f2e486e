import { type ComponentType, lazy, type ReactNode, useState } from "react";
import { whenOnline } from "./when-online.ts";

/** What could not be loaded ahead is not asked for a second time by what shows it in the same moment. */
const TRY_AGAIN_MS = 1000;

/** A component in a chunk of its own. */
export interface LazyPart<Props> {
  (props: Props): ReactNode;
  /** Loads it and its parts ahead, so that they are there in the moment when they are wanted. @throws what the imports throw */
  load(): Promise<void>;
  /** Whether it is built at once. */
  isLoaded(): boolean;
}

interface Module<Props> {
  readonly default: ComponentType<Props>;
  /** Loads the lazy parts that it always shows. */
  readonly loadParts?: () => Promise<void>;
}

/**
 * A component in a chunk of its own, which waits for the network where that is away.
 *
 * What React shows in the place of a late component it shows for 300 ms at least, even where that is loaded in the next
 * moment: one that was loaded ahead is built at once, without React's `lazy`.
 */
export function lazyPart<Props extends object>(load: () => Promise<Module<Props>>): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<Module<Props>> | undefined;
  const loadPart = () => {
    loading ??= whenOnline(load).then(
      (part) => {
        loaded = part.default;
        return part;
      },
      (error) => {
        setTimeout(() => {
          loading = undefined;
        }, TRY_AGAIN_MS);
        throw error;
      },
    );
    return loading;
  };
  const Late = lazy(loadPart) as unknown as ComponentType<Props>;

  function Part(props: Props) {
    // For as long as it is shown it stays what it began as: another type would be built anew, and forget its state.
    const [Shown] = useState(() => loaded ?? Late);
    return <Shown {...props} />;
  }
  const loadAll = async () => {
    const part = await loadPart();
    await part.loadParts?.();
  };
  return Object.assign(Part, { load: loadAll, isLoaded: () => loaded !== undefined });
}
