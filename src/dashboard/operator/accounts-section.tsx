import UserRound from "lucide-react/icons/user-round";
import { Link } from "wouter";
import type { ListedAccount } from "../../client/types.ts";
import { useOperatorList } from "../api/queries/operator.ts";
import { tierName } from "../api/tier-words.ts";
import { Field } from "../design/field.tsx";
import { formatDate } from "../design/format.ts";
import rows from "../design/rows.module.css";
import { Section } from "../design/section.tsx";
import styles from "./operator.module.css";
import { OperatorListView } from "./operator-list.tsx";
import { useListSearch } from "./use-list-search.ts";

/** Accounts by e-mail. */
export default function AccountsSection() {
  const { text, setText, wanted } = useListSearch("q");
  const list = useOperatorList<ListedAccount>("/admin/accounts", { q: wanted });
  return (
    <Section
      title="Accounts"
      description="Accounts in the order of their e-mails. The audit log has each change with your account."
    >
      <Field
        className={styles.search}
        label="Search accounts"
        name="q"
        type="search"
        autoComplete="off"
        placeholder="person@example.com"
        hint="The beginning of an e-mail, or an account's id."
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <OperatorListView
        of={list}
        what="accounts"
        empty={{
          icon: UserRound,
          title: "No account matches",
          text: "Search by the beginning of the e-mail, or by the id.",
        }}
      >
        {(accounts) => (
          <ul className={rows.list} aria-label="Accounts">
            {accounts.map((account) => (
              <li key={account._id} className={rows.item}>
                <div className={rows.words}>
                  <p className={rows.name}>
                    <Link to={`/operator/accounts/${account._id}`}>{account.email}</Link>
                  </p>
                  <p className={rows.facts}>{factsOf(account).join(" · ")}</p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </OperatorListView>
    </Section>
  );
}

function factsOf({ name, tier, createdAt, emailVerified, operator }: ListedAccount): string[] {
  return [
    ...(name === null ? [] : [name]),
    tierName(tier),
    `Since ${formatDate(createdAt, "short")}`,
    ...(emailVerified ? [] : ["E-mail not verified"]),
    ...(operator ? ["Operator"] : []),
  ];
}
