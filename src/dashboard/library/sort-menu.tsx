import ArrowDownUp from "lucide-react/icons/arrow-down-up";
import { Button } from "../design/button.tsx";
import { Menu } from "../design/menu.tsx";
import styles from "./sort-menu.module.css";
import { chooseSorting, ORDER_TITLES, SORT_TITLES, sortedBy } from "./view/sort-choice.ts";
import { type Order, SORT_BYS } from "./view/sorting.ts";
import type { Address } from "./view/use-address.ts";

const ORDERS: readonly Order[] = ["desc", "asc"];

/** The order of the files, which is kept for the folder. In narrow windows the button is its icon. */
export default function SortMenu({ address }: { readonly address: Address }) {
  const { sorting } = address;
  const title = `${SORT_TITLES[sorting.by]} (${ORDER_TITLES[sorting.by][sorting.order]})`;
  return (
    <Menu
      align="end"
      trigger={
        <Button
          tone="quiet"
          size="large"
          icon={ArrowDownUp}
          className={styles.sort}
          aria-label={`Sort: ${title}`}
          data-tip={`Sort: ${title}`}
        >
          <span className={styles.title}>{SORT_TITLES[sorting.by]}</span>
        </Button>
      }
      items={[
        ...SORT_BYS.map((by) => ({
          id: by,
          title: SORT_TITLES[by],
          checked: by === sorting.by,
          onSelect: () => by !== sorting.by && chooseSorting(address, sortedBy(by, sorting)),
        })),
        ...ORDERS.map((order, at) => ({
          id: order,
          title: ORDER_TITLES[sorting.by][order],
          checked: order === sorting.order,
          separated: at === 0,
          onSelect: () => chooseSorting(address, { by: sorting.by, order }),
        })),
      ]}
    />
  );
}
