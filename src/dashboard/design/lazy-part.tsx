import { type ComponentType, lazy, type ReactNode, useEffect, useState } from "react";
import { whenOnline } from "./when-online.ts";

/** A failed preload is not repeated at once by the component that needs the part. */
const TRY_AGAIN_MS = 1000;

/** A component in its own chunk. */
interface LazyPart<Props> {
  (props: Props): ReactNode;
  /** Preloads the component and its parts. @throws the import's error */
  load(): Promise<void>;
  /** Whether it renders without suspending. */
  isLoaded(): boolean;
}

interface Module<Props> {
  readonly default: ComponentType<Props>;
  /** Loads the lazy parts that the component always shows. */
  readonly loadParts?: () => Promise<void>;
}

/**
 * A component in its own chunk. Loading waits while the browser is offline.
 *
 * React shows a Suspense fallback for at least 300 ms. A component that is already loaded is therefore rendered without React's `lazy`.
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
    // The type stays the same while the component is mounted: another type would be mounted again and lose its state.
    const [Shown] = useState(() => loaded ?? Late);
    return <Shown {...props} />;
  }
  const loadAll = async () => {
    const part = await loadPart();
    await part.loadParts?.();
  };
  return Object.assign(Part, { load: loadAll, isLoaded: () => loaded !== undefined });
}

const SPARE_AGAIN_MS = 10_000;

/**
 * A lazy part that the page can be used without. A failed import is repeated while the part is rendered. The error of a `lazyPart` would
 * replace the page and lose all that the user has typed in it.
 * @param fallback shown until the part is loaded
 */
export function sparePart<Props extends object>(
  load: () => Promise<Module<Props>>,
  fallback: ReactNode = null,
): LazyPart<Props> {
  const Part = lazyPart(load);
  function Spare(props: Props) {
    const [isLoaded, setLoaded] = useState(Part.isLoaded);
    useEffect(() => {
      let timer: ReturnType<typeof setTimeout>;
      const loadPart = () => {
        const again = () => {
          timer = setTimeout(loadPart, SPARE_AGAIN_MS);
        };
        Part.load().then(() => setLoaded(true), again);
      };
      if (!isLoaded) loadPart();
      return () => clearTimeout(timer);
    }, [isLoaded]);
    return isLoaded ? <Part {...props} /> : fallback;
  }
  return Object.assign(Spare, Part);
}
