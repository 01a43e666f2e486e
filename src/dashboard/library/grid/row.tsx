import { memo } from "react";
import type { Item } from "../changes/patch.ts";
import type { Geometry } from "./geometry.ts";
import styles from "./row.module.css";
import { Tile } from "./tile.tsx";

export interface RowProps {
  readonly row: number;
  /** Pixels from the spacer's top. */
  readonly top: number;
  readonly geometry: Geometry;
  readonly items: readonly (Item | undefined)[];
  /** One character for each column: "1" if the file is selected. */
  readonly selected: string;
  /** The focused column; -1 if the focus is in another row. */
  readonly focused: number;
  readonly isFast: boolean;
  readonly hrefOf: (item: Item) => string;
}

/** A row of tiles. It renders again only when its props change. */
export const Row = memo(function Row({ row, top, geometry, items, selected, focused, isFast, hrefOf }: RowProps) {
  const { columns, tile, gap, captioned } = geometry;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus is on a cell
    <div
      role="row"
      className={styles.row}
      aria-rowindex={row + 1}
      style={{
        transform: `translateY(${top}px)`,
        gridTemplateColumns: `repeat(${columns}, ${tile}px)`,
        columnGap: gap,
      }}
    >
      {items.map((item, column) => (
        <Tile
          key={column}
          item={item}
          position={row * columns + column}
          column={column}
          side={tile}
          captioned={captioned}
          isSelected={selected[column] === "1"}
          isFocused={focused === column}
          isFast={isFast}
          href={item === undefined ? "" : hrefOf(item)}
        />
      ))}
    </div>
  );
}, isSame);

export function isSame(one: RowProps, other: RowProps): boolean {
  const names = Object.keys(one) as (keyof RowProps)[];
  return names.every((name) =>
    name === "items"
      ? one.items.length === other.items.length && one.items.every((item, at) => item === other.items[at])
      : one[name] === other[name],
  );
}
