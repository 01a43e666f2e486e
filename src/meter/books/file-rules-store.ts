import type { FileRules } from "../../domain/file-rules.ts";

/** The rules for the account's files. The object decides about them; R2 has a copy for the CDN Worker. All calls are synchronous. */
export class FileRulesStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec("CREATE TABLE IF NOT EXISTS file_rules (one INTEGER PRIMARY KEY CHECK (one = 1), rules TEXT NOT NULL);");
  }

  /** No rules if none were ever set. */
  read(): FileRules {
    const [row] = this.#sql.exec<{ rules: string }>("SELECT rules FROM file_rules").toArray();
    return row === undefined ? {} : (JSON.parse(row.rules) as FileRules);
  }

  put(rules: FileRules): void {
    this.#sql.exec("INSERT OR REPLACE INTO file_rules (one, rules) VALUES (1, ?)", JSON.stringify(rules));
  }
}
