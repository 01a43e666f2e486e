import { Suspense } from "react";
import { lazyPart } from "../design/lazy-part.tsx";
import { Problem } from "../design/problem.tsx";
import styles from "./library-state.module.css";
import { LoadingTiles } from "./loading-tiles.tsx";
import type { Library } from "./use-library.ts";

const Nothing = lazyPart(() => import("./nothing.tsx"));

/** What stands in place of the files: while they are loaded, where there are none, where they could not be loaded. */
export function LibraryState({ library }: { readonly library: Library }) {
  const { pages, total } = library;
  if (pages.error !== undefined) {
    return (
      <div className={styles.state} data-over={total !== undefined && total > 0 ? "" : undefined}>
        <Problem error={pages.error} title="The files could not be loaded" onRetry={pages.retry} />
      </div>
    );
  }
  if (total === undefined) return <LoadingTiles library={library} />;
  if (total > 0) return null;
  return (
    <div className={styles.state}>
      <Suspense fallback={null}>
        <Nothing library={library} />
      </Suspense>
    </div>
  );
}
