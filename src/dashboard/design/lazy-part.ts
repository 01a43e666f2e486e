import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { whenOnline } from "./when-online.ts";

/** A component in a chunk of its own, which waits for the network where that is away. */
// biome-ignore lint/suspicious/noExplicitAny: as React's own `lazy`, whatever its properties are.
export function lazyPart<Part extends ComponentType<any>>(
  load: () => Promise<{ readonly default: Part }>,
): LazyExoticComponent<Part> {
  return lazy(() => whenOnline(load));
}
