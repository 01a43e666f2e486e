import styles from "./loading-tiles.module.css";
import type { Library } from "./use-library.ts";

const ROWS = 5;

/** Grey shapes where the files will be; nothing for the first 150 ms, in which most answers come. */
export function LoadingTiles({ library: { geometry, view } }: { readonly library: Library }) {
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
        paddingBlockStart: before,
      }}
    >
      <span className="hidden-text">Loading</span>
      {Array.from({ length: isTable ? 12 : columns * ROWS }, (_, at) => (
        <span key={at} className={styles.shape} style={{ height: isTable ? 32 : tile }} />
      ))}
    </div>
  );
}
