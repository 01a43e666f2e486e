import ShieldAlert from "lucide-react/icons/shield-alert";
import { useState } from "react";
import type { Shards } from "../../client/types.ts";
import { useOperatorChange, useOperatorList } from "../api/queries/operator.ts";
import { Button } from "../design/button.tsx";
import { classNames } from "../design/class-names.ts";
import { formatBytes, formatCount } from "../design/format.ts";
import { Meter } from "../design/meter.tsx";
import { Section } from "../design/section.tsx";
import table from "../design/table.module.css";
import { TableScroll } from "../design/table-scroll.tsx";
import { toast } from "../design/toast.tsx";
import styles from "./operator.module.css";
import { OperatorListView } from "./operator-list.tsx";
import { ReasonDialog } from "./reason-dialog.tsx";

type Shard = Shards["shards"][number];

/** The largest database of D1. */
const MAX_DATABASE_BYTES = 10 * 1024 ** 3;

/** The databases of libraries. */
export default function ShardsSection() {
  const list = useOperatorList<Shard>("/admin/shards");
  const change = useOperatorChange();
  const [asked, setAsked] = useState<Shard>();
  return (
    <Section
      title="Shards"
      description="The databases of libraries. A closed shard takes no new accounts; its libraries stay, and grow."
    >
      <OperatorListView of={list} what="shards" empty={{ icon: ShieldAlert, title: "No shards" }}>
        {(shards) => (
          <TableScroll label="Shards">
            <table className={classNames(table.table, table.cards, styles.wide)}>
              <thead>
                <tr>
                  <th scope="col">Shard</th>
                  <th scope="col">Database, of 10 GB</th>
                  <th scope="col" className={table.number}>
                    Accounts
                  </th>
                  <th scope="col" className={table.number}>
                    Uploads
                  </th>
                  <th scope="col" className={table.number}>
                    Stored
                  </th>
                  <th scope="col">New accounts</th>
                  <th scope="col">
                    <span className="hidden-text">Action</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {shards.map((shard) => (
                  <tr key={shard.shard}>
                    <th scope="row" data-label="Shard" className={table.lead}>
                      {shard.shard}
                    </th>
                    <td className={table.line}>
                      <span className={styles.barCell}>
                        <Meter
                          label={`Database of shard ${shard.shard}`}
                          className={styles.bar}
                          parts={[{ title: "Database", value: shard.databaseBytes }]}
                          max={MAX_DATABASE_BYTES}
                          valueText={formatBytes(shard.databaseBytes)}
                        />
                        <span className={styles.barText}>{formatBytes(shard.databaseBytes)}</span>
                      </span>
                    </td>
                    <td data-label="Accounts" className={table.number}>
                      {formatCount(shard.accounts)}
                    </td>
                    <td data-label="Uploads" className={table.number}>
                      {formatCount(shard.uploads)}
                    </td>
                    <td data-label="Stored" className={table.number}>
                      {formatBytes(shard.storedBytes)}
                    </td>
                    <td data-label="New accounts">
                      {shard.bound ? (shard.open ? "Open" : "Closed") : "No binding in this deployment"}
                    </td>
                    <td className={classNames(table.number, table.act)}>
                      <Button
                        size="small"
                        aria-label={`${shard.open ? "Close" : "Open"} shard ${shard.shard}`}
                        onClick={() => setAsked(shard)}
                      >
                        {shard.open ? "Close" : "Open"}
                      </Button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableScroll>
        )}
      </OperatorListView>
      <ReasonDialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={`${asked?.open ? "Close" : "Open"} shard ${asked?.shard}?`}
        description={
          asked?.open
            ? "New accounts go to other shards. Registration fails if no shard is open."
            : "New accounts may be placed in it."
        }
        action={asked?.open ? "Close" : "Open"}
        onConfirm={async (reason) => {
          const body = { open: !asked?.open };
          await change.mutateAsync({ method: "PUT", path: `/admin/shards/${asked?.shard}`, body, reason });
          toast({ title: `Shard ${asked?.shard} is ${asked?.open ? "closed" : "open"}`, tone: "ok" });
        }}
      />
    </Section>
  );
}
