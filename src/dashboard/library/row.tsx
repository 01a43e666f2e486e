import { memo } from "react";
import type { Item } from "./change.ts";
import type { Geometry } from "./geometry.ts";
import styles from "./row.module.css";
import { Tile } from "./tile.tsx";

export interface RowProps {
  readonly row: number;
  /** Its top in the spacer, in pixels. */
  readonly top: number;
  readonly geometry: Geometry;
  readonly items: readonly (Item | undefined)[];
  /** A letter a column: "1" where it is selected. */
  readonly selected: string;
  /** The focused column; -1 where the focus is in another row. */
  readonly focused: number;
  readonly isFast: boolean;
  readonly hrefOf: (item: Item) => string;
}

/** A row of tiles. It is built again only where what it shows has changed. */
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
  return (
    one.row === other.row &&
    one.top === other.top &&
    one.geometry === other.geometry &&
    one.selected === other.selected &&
    one.focused === other.focused &&
    one.isFast === other.isFast &&
    one.hrefOf === other.hrefOf &&
    one.items.length === other.items.length &&
    one.items.every((item, at) => item === other.items[at])
  );
}
