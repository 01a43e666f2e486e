import KeyRound from "lucide-react/icons/key-round";
import { useState } from "react";
import type { Key } from "../../../client/index.ts";
import type { TierName } from "../../../domain/tiers.ts";
import { tierName } from "../../api/tier-words.ts";
import { classNames } from "../../design/class-names.ts";
import { Empty } from "../../design/empty.tsx";
import { Section } from "../../design/section.tsx";
import table from "../../design/table.module.css";
import { TableScroll } from "../../design/table-scroll.tsx";
import styles from "./api-keys.module.css";
import { KeyRow } from "./key-row.tsx";
import { NewKeyButton } from "./new-key-button.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";

interface ApiKeysProps {
  readonly keys: readonly Key[];
  readonly tier: TierName;
}

/** The API keys of Pro and Business. */
export function ApiKeys({ keys, tier }: ApiKeysProps) {
  const [revoked, setRevoked] = useState<Key>();
  const [isAsking, setAsking] = useState(false);
  const revoke = (key: Key) => {
    setRevoked(key);
    setAsking(true);
  };
  const own = keys.filter(({ kind }) => kind === "api");
  const uploadKey = keys.find(({ kind }) => kind === "upload");
  return (
    <Section
      title="API keys"
      description="A key for each program, with no more rights than the program needs. You can revoke each separately."
      aside={<NewKeyButton keys={keys} />}
    >
      {own.length === 0 ? (
        <Empty icon={KeyRound} title="No API key yet">
          Programs use a key to upload, list and delete files.
        </Empty>
      ) : (
        <TableScroll label="API keys">
          <table className={classNames(table.table, table.cards, styles.table)}>
            <thead>
              <tr>
                <th scope="col">Name and permissions</th>
                <th scope="col">Folder</th>
                <th scope="col">Ends with</th>
                <th scope="col">Created</th>
                <th scope="col">Expires</th>
                <th scope="col">Last used</th>
                <th scope="col">Requests, 30 days</th>
                <th scope="col">
                  <span className="hidden-text">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {own.map((key) => (
                <KeyRow key={key._id} of={key} onRevoke={() => revoke(key)} />
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
      {/* It is beside the table, because it stays if another tab revokes the key. */}
      {revoked !== undefined && (
        <RevokeDialog key={revoked._id} of={revoked} open={isAsking} onOpenChange={setAsking} />
      )}
      {uploadKey !== undefined && (
        <p className={styles.note}>
          The upload key ending in <code>{uploadKey.lastFour}</code> does not work on {tierName(tier)}.
        </p>
      )}
    </Section>
  );
}
