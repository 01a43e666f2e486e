import { TIER_NAMES, TIERS, type TierName } from "../../domain/tiers.ts";
import { tierName } from "../api/tier-words.ts";
import { classNames } from "../design/class-names.ts";
import { formatBytes, formatCount } from "../design/format.ts";
import { Section } from "../design/section.tsx";
import table from "../design/table.module.css";
import { TableScroll } from "../design/table-scroll.tsx";
import styles from "./tier-section.module.css";

interface TierSectionProps {
  readonly tier: TierName;
}

/** The limits of all tiers, with the account's own marked. The operator assigns tiers. */
export function TierSection({ tier }: TierSectionProps) {
  return (
    <Section
      title={`Your tier: ${tierName(tier)}`}
      description="Tiers are assigned by this service's operator. Contact them to change yours."
    >
      <TableScroll label="Tiers">
        <table className={classNames(table.table, table.cards, styles.table)}>
          <thead>
            <tr>
              <th scope="col">Tier</th>
              <th scope="col" className={table.number}>
                Storage
              </th>
              <th scope="col" className={table.number}>
                Operations a month
              </th>
              <th scope="col" className={table.number}>
                Requests a minute
              </th>
              <th scope="col">Keys</th>
            </tr>
          </thead>
          <tbody>
            {TIER_NAMES.map((name) => (
              <tr key={name} className={name === tier ? styles.own : undefined}>
                <th scope="row" className={table.lead}>
                  {tierName(name)}
                  {name === tier && <span className={styles.mark}>yours</span>}
                </th>
                <td data-label="Storage" className={table.number}>
                  {formatBytes(TIERS[name].storageBytes)}
                </td>
                <td data-label="Operations a month" className={table.number}>
                  {formatCount(TIERS[name].operationsPerMonth)}
                </td>
                <td data-label="Requests a minute" className={table.number}>
                  {formatCount(TIERS[name].requestsPerMinute)}
                </td>
                <td className={table.soft}>
                  {TIERS[name].keyKind === "api" ? "API keys, log, alerts" : "One upload key"}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </Section>
  );
}
