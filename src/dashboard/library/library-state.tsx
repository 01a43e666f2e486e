import { Suspense } from "react";
import { lazyPart } from "../design/lazy-part.tsx";
import { Problem } from "../design/problem.tsx";
import styles from "./library-state.module.css";
import type { Library } from "./use-library.ts";

const Nothing = lazyPart(() => import("./nothing.tsx"));

/** Shown in place of the files while they are loading, if there are none, and if they could not be loaded. */
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
    <div className={styles.state} data-ground="">
      <Suspense fallback={null}>
        <Nothing library={library} />
      </Suspense>
    </div>
  );
}

const ROWS = 5;
/** The names of the columns stay above the shapes. */
const TABLE_HEAD_PX = 38;

/** Grey shapes in place of the files. They are hidden for the first 150 ms, in which most answers come. */
function LoadingTiles({ library: { geometry, view } }: { readonly library: Library }) {
  const { columns, tile, gap, rowHeight, before } = geometry;
  const isTable = view.mode === "table";
  return (
    <div
      className={styles.loading}
      role="status"
      style={{
        gridTemplateColumns: `repeat(${columns}, ${tile}px)`,
        columnGap: gap,
        gridAutoRows: rowHeight,
        paddingBlockStart: isTable ? TABLE_HEAD_PX : before,
      }}
    >
      <span className="hidden-text">Loading</span>
      {Array.from({ length: isTable ? 12 : columns * ROWS }, (_, at) => (
        <span key={at} className={styles.shape} style={{ height: isTable ? 32 : tile }} />
      ))}
    </div>
  );
}
