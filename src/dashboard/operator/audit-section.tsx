import ScrollText from "lucide-react/icons/scroll-text";
import type { AuditEntry } from "../../client/types.ts";
import { useOperatorList } from "../api/queries/operator.ts";
import { Section } from "../design/section.tsx";
import { AuditTable } from "./audit-table.tsx";
import { OperatorListView } from "./operator-list.tsx";

export default function AuditSection() {
  const list = useOperatorList<AuditEntry>("/admin/audit");
  return (
    <Section
      title="Audit log"
      description="Every action of an operator, also a refused one. Entries can be neither changed nor deleted."
    >
      <OperatorListView of={list} what="entries" empty={{ icon: ScrollText, title: "No actions yet" }}>
        {(entries) => <AuditTable entries={entries} label="Audit log" hasSubjects />}
      </OperatorListView>
    </Section>
  );
}
