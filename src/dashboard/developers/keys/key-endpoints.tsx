import type { KeyAnalytics } from "../../../client/index.ts";
import { classNames } from "../../design/class-names.ts";
import { formatCount } from "../../design/format.ts";
import { Section } from "../../design/section.tsx";
import table from "../../design/table.module.css";
import { TableScroll } from "../../design/table-scroll.tsx";
import styles from "./key-endpoints.module.css";

interface KeyEndpointsProps {
  readonly endpoints: KeyAnalytics["endpoints"];
}

/** A key's requests by endpoint, most frequent first. */
export function KeyEndpoints({ endpoints }: KeyEndpointsProps) {
  return (
    <Section title="By endpoint" description={endpoints.length === 0 ? "No requests in this period." : undefined}>
      {endpoints.length > 0 && (
        <TableScroll label="Requests by endpoint">
          <table className={classNames(table.table, styles.table)}>
            <thead>
              <tr>
                <th scope="col">Endpoint</th>
                <th scope="col" className={table.number}>
                  Requests
                </th>
                <th scope="col" className={table.number}>
                  Operations
                </th>
                <th scope="col" className={table.number}>
                  Errors
                </th>
              </tr>
            </thead>
            <tbody>
              {endpoints.map(({ endpoint, requests, operations, errors }) => (
                <tr key={endpoint}>
                  <td>{endpoint === "none" ? "Unknown path" : <code>{endpoint}</code>}</td>
                  <td className={table.number}>{formatCount(requests)}</td>
                  <td className={table.number}>{formatCount(operations)}</td>
                  <td className={classNames(table.number, errors > 0 && styles.errors)}>{formatCount(errors)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
    </Section>
  );
}
