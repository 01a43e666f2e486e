/** A fault that is put into the product's code on purpose: the simulation must find it. */
export interface PlantedFault {
  readonly name: string;
  /** What it is, as a sentence. */
  readonly fault: string;
  /** The simulation finds it within so many schedules. More than 3,000 is for the command alone, and not for every run of the tests. */
  readonly within: number;
  /** By file: what stands there once, and what takes its place. */
  readonly changes: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>;
}

const UPLOADS = "src/meter/account/upload-methods.ts";
const LIBRARY = "src/meter/account/library-methods.ts";
const CREDENTIALS = "src/meter/account/credential-methods.ts";
const PERFORM = "src/meter/perform-intent.ts";
const COMPLETION = "src/meter/intent-completion.ts";
const BOOKS = "src/meter/account-books.ts";
const STORE = "src/meter/intent-store.ts";
const COMMIT = "src/services/uploads/commit/commit-uploads.ts";

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: "early-settle",
    fault: "An upload is settled before its row is written",
    within: 300,
    changes: {
      [COMMIT]: [
        [
          "  await insertRows(run, uploads, fields);\n  await announceVideos(run, uploads);\n  return settle(run, uploads, results);",
          "  const undone = await settle(run, uploads, results);\n  await insertRows(run, uploads, fields);\n  await announceVideos(run, uploads);\n  return undone;",
        ],
      ],
    },
  },
  {
    name: "kept-object",
    fault: "A deletion is settled without its object",
    within: 50,
    changes: {
      [PERFORM]: [["await files.delete([...objectKeys, thumbnailKey(accountId, uploadId)]);", ""]],
    },
  },
  {
    name: "counted-twice",
    fault: "An operation that is in the log is counted once more",
    within: 300,
    changes: {
      "src/meter/ledger.ts": [
        ["if (!this.log.record(operation, storageBytes)) return false;", "this.log.record(operation, storageBytes);"],
      ],
    },
  },
  {
    name: "no-alarm",
    fault: "No alarm is set for an upload",
    within: 2000,
    changes: {
      [UPLOADS]: [
        [
          'await this.runner.scheduleAlarm();\n    return { outcome: "reserved", reservedBytes, figures };',
          'return { outcome: "reserved", reservedBytes, figures };',
        ],
      ],
    },
  },
  {
    name: "blind-undo",
    fault: "A replay undoes an upload without looking whether its row is there",
    within: 20_000,
    changes: { [PERFORM]: [["if (row === undefined || (await files.head(row.objectKey)) === null) {", "if (true) {"]] },
  },
  {
    name: "deaf",
    fault: "An upload's signs of life are not heard",
    within: 2000,
    changes: {
      [STORE]: [['"UPDATE intents SET due_at = ? WHERE id = ? AND due_at > ?"', '"SELECT ?, ?, ?"']],
    },
  },
  {
    name: "reserved-and-stored",
    fault: "Storage is counted when it is reserved, and again when it is settled",
    within: 50,
    changes: {
      [UPLOADS]: [
        [
          "this.books.intents.put({ ...intent, keyId }, reservedBytes, now + this.timeoutMs());",
          "this.books.intents.put({ ...intent, keyId }, reservedBytes, now + this.timeoutMs());\n      this.books.ledger.addStorage(reservedBytes);",
        ],
      ],
    },
  },
  {
    name: "lost-is-failed",
    fault: "A lost answer to settling is taken for a failure, and the upload's row and object are removed",
    within: 1000,
    changes: {
      [COMMIT]: [
        [
          "account.claim && { claim: account.claim, results: results.map(toClaimedResult) },\n  );",
          `account.claim && { claim: account.claim, results: results.map(toClaimedResult) },
  ).catch(async (error) => {
    await deleteUploads(account.library, account.accountId, uploads.map(({ id }) => id));
    await account.files.delete(settled.flatMap(({ objectKeys }) => [...objectKeys]));
    throw error;
  });`,
        ],
      ],
    },
  },
  {
    name: "open-multipart",
    fault: "A replay does not abort the multipart upload",
    within: 2000,
    changes: { [PERFORM]: [["if (objectKey !== undefined && multipartUploadId !== undefined) {", "if (false) {"]] },
  },
  {
    name: "no-turns",
    fault: "Changes of one thing do not wait for each other",
    within: 20_000,
    changes: {
      "src/isolate/turns.ts": [["before === undefined ? work() : before.then(work, work)", "work()"]],
    },
  },
  {
    name: "forgotten-reservation",
    fault: "An object that wakes up has forgotten what is reserved",
    within: 3000,
    changes: {
      [STORE]: [
        [
          "        attempts INTEGER NOT NULL\n      ) WITHOUT ROWID;",
          "        attempts INTEGER NOT NULL\n      ) WITHOUT ROWID;\n      UPDATE intents SET reserved_bytes = 0;",
        ],
      ],
    },
  },
  {
    name: "short-erasure",
    fault: "An erasure ends with its first pass, before uploads under way have run into their timeout",
    within: 20_000,
    changes: { [COMPLETION]: [["!secondPass || !isQuiet", "false"]] },
  },
  {
    name: "late-revocation",
    fault: "A revoked key is refused by the catalogue alone",
    within: 2000,
    changes: {
      [CREDENTIALS]: [
        [
          '{ kind: "revoke-key", keyId }, () => this.books.credentials.revokeKey(keyId)',
          '{ kind: "revoke-key", keyId }',
        ],
      ],
    },
  },
  {
    name: "kept-thumbnail-bytes",
    fault: "The bytes of a thumbnail stay counted when its upload is deleted",
    within: 300,
    changes: {
      [BOOKS]: [["this.countThumbnail(intent.uploadId, 0);\n      this.resumables", "this.resumables"]],
    },
  },
  {
    name: "lost-message",
    fault: "A replay does not send the message of a video whose upload was cut short",
    within: 3000,
    changes: { [PERFORM]: [["if (isVideo(row.mimeType)) {", "if (false) {"]] },
  },
  {
    name: "hasty-ack",
    fault: "A message is acknowledged although its thumbnail could not be made",
    within: 300,
    changes: {
      "src/jobs/handle-stored-upload.ts": [
        [
          "message.retry({ delaySeconds: isTimeout ? TIMEOUT_RETRY_SECONDS : backoff(message.attempts) }, error);",
          "message.ack();",
        ],
      ],
    },
  },
  {
    name: "impatient-settle",
    fault: "Settling does not wait for a replay that is under way",
    within: 20_000,
    changes: {
      [UPLOADS]: [["for (const { uploadId } of stored) await this.runner.finishReplay(uploadIntentId(uploadId));", ""]],
    },
  },
  {
    name: "open-copy",
    fault: "A library is written to while it is copied to another shard",
    within: 20_000,
    changes: { "src/meter/move-library.ts": [['await setLibraryState(from, step, "leaving");', ""]] },
  },
  {
    name: "late-deletion",
    fault: "A deletion that comes late to a shard that the library has left is taken for one",
    within: 20_000,
    changes: {
      "src/db/library/uploads.ts": [
        [".where(and(ownIds(accountId, ids), notExists(left)))", ".where(ownIds(accountId, ids))"],
        ['if (meta.changes === 0 && (await findLibraryState(db, accountId)) === "left")', "if (false)"],
      ],
    },
  },
  {
    name: "silent-undo",
    fault: "A request that has failed removes its upload without saying so before: a replay may just be keeping it",
    within: 20_000,
    changes: { "src/services/uploads/open-uploads.ts": [["    await this.#giveUp();\n", ""]] },
  },
  {
    name: "late-change",
    fault: "A change of the account that arrives after a newer one takes its place",
    within: 20_000,
    changes: { "src/db/directory/account-changes.ts": [["setWhere: sql", "setWhere: undefined && sql"]] },
  },
  {
    name: "late-step",
    fault: "A step of a library's move that arrives after a newer one writes into the library",
    within: 200_000,
    changes: {
      "src/db/library/library-state.ts": [
        ["return db.update(libraries).set({ movedAt })", "return db.update(libraries).set({ id: accountId })"],
      ],
    },
  },
  {
    name: "refused-deletion",
    fault:
      "A deletion whose answer was lost is refused when it is asked for again, as it was the month's last operation",
    within: 20_000,
    changes: {
      [LIBRARY]: [["return this.books.isDeleted(upload.uploadId)", "return false"]],
    },
  },
];
