import { lazy } from "react";
import { whenOnline } from "./when-online.ts";

/** A component in a chunk of its own, which waits for the network where that is away. */
export const lazyPart: typeof lazy = (load) => lazy(() => whenOnline(load));
