/** A fault that is put into the product's code on purpose: the simulation must find it. */
export interface PlantedFault {
  readonly name: string;
  /** The fault as a sentence. */
  readonly fault: string;
  /** The simulation finds it within this many schedules. Faults above 3,000 are planted only by the command, and not by the tests. */
  readonly within: number;
  /** Replacements by file: a text that is in the file once, and its replacement. */
  readonly changes: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>;
}

const UPLOADS = "src/meter/intents/upload-intents.ts";
const DELETE = "src/meter/intents/delete-upload.ts";
const CREDENTIALS = "src/meter/account/credentials.ts";
const PERFORM = "src/meter/intents/perform-intent.ts";
const RUNNER = "src/meter/intents/intent-runner.ts";
const COMPLETION = "src/meter/intents/intent-completion.ts";
const TABLES = "src/meter/account/account-tables.ts";
const SHARES = "src/meter/account/shares.ts";
const STORE = "src/meter/intents/intent-table.ts";
const ALARM = "src/meter/object-alarm.ts";
const VISIBILITY = "src/meter/intents/perform-visibility.ts";
const REPLACEMENT = "src/meter/intents/perform-replacement.ts";
const REPLACE = "src/meter/intents/replace-content.ts";
const COMMIT = "src/services/uploads/commit/commit-uploads.ts";

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: "early-event",
    fault: "An upload's event is recorded when its storage is reserved",
    within: 300,
    changes: {
      [UPLOADS]: [
        [
          "    tables.resumables.clearReservation(intent.uploadId);",
          '    tables.resumables.clearReservation(intent.uploadId);\n    tables.events.record("upload.completed", intent.uploadId);',
        ],
      ],
    },
  },
  {
    name: "late-announcement",
    fault: "A change that only D1 has is announced after it is made",
    within: 3000,
    changes: {
      "src/services/events/record-changes.ts": [
        [
          "  using announced = uploads.length === 0 ? undefined : await meter.announceChanges({ type, uploads });\n  if (announced === undefined) return change();",
          "  const made = await change();\n  using announced = uploads.length === 0 ? undefined : await meter.announceChanges({ type, uploads });\n  if (announced === undefined) return made;",
        ],
        ["    const changed = await change();", "    const changed = made;"],
      ],
    },
  },
  {
    name: "hidden-change",
    fault: "A change is judged by a row that was read before another change",
    within: 20_000,
    changes: {
      "src/meter/events/account-events.ts": [
        ["before: last ? shownBy(last) : before", "before: last ? before : before"],
      ],
    },
  },
  {
    name: "untold-visibility",
    fault: "A change of visibility that the object finishes has no event",
    within: 300,
    changes: {
      [COMPLETION]: [
        ['        if (!tables.isDeleted(uploadId)) tables.events.record("image.updated", uploadId);\n', ""],
      ],
    },
  },
  {
    name: "early-settle",
    fault: "An upload is settled before its row is written",
    within: 300,
    changes: {
      [COMMIT]: [
        [
          "  await insertRows(run, uploads, fields);\n  await announce(run, uploads);\n  return settle(run, uploads, results);",
          "  const undone = await settle(run, uploads, results);\n  await insertRows(run, uploads, fields);\n  await announce(run, uploads);\n  return undone;",
        ],
      ],
    },
  },
  {
    name: "unasked-image",
    fault: "The replay of an interrupted image asks the moderation hook nothing",
    within: 3000,
    changes: {
      [PERFORM]: [
        ['await stores.moderation?.send({ type: "moderation.requested", accountId, uploadId: row.id });', ""],
      ],
    },
  },
  {
    name: "half-reset",
    fault: "A repeated reset of a password is answered before the directory has the password",
    within: 10_000,
    changes: { "src/meter/account/credentials.ts": [["await runner.goOn(SET_PASSWORD);", ""]] },
  },
  {
    name: "unasked-thumbnail",
    fault: "The message of a thumbnail that was made before asks the moderation hook nothing",
    within: 3000,
    changes: {
      "src/services/thumbnails/make-thumbnail.ts": [
        ["const isMade = await settle(context, row);", "const isMade = true;"],
      ],
    },
  },
  {
    name: "kept-object",
    fault: "A deletion is settled without its object",
    within: 50,
    changes: {
      [PERFORM]: [
        [
          "await files.delete([...[...objectKeys, ...thumbnails].flatMap(everyKey), movedKey(accountId, uploadId)]);",
          "",
        ],
      ],
    },
  },
  {
    name: "counted-twice",
    fault: "An operation that is in the log is counted once more",
    within: 300,
    changes: {
      "src/meter/books/ledger.ts": [
        ["if (!this.log.record(operation, storageBytes)) return false;", "this.log.record(operation, storageBytes);"],
      ],
    },
  },
  {
    name: "late-rules",
    fault: "A late write of older file rules replaces newer ones",
    within: 5000,
    changes: {
      "src/meter/intents/write-file-rules.ts": [["{ onlyIf }", "{}"]],
    },
  },
  {
    name: "free-rules",
    fault: "A change of tier does not reach the file rules",
    within: 50,
    changes: { [PERFORM]: [["if (rules !== undefined) await writeFileRules(stores, { ...rules, changedAt });", ""]] },
  },
  {
    name: "one-mark",
    fault: "A takedown is not repeated, so that a late write replaces its mark",
    within: 300,
    changes: {
      [COMPLETION]: [
        [
          'if (!isAgain && isLive()) tables.events.record("image.updated", uploadId);\n      if (!isAgain && !tables.erasing) {',
          'if (!isAgain && isLive()) tables.events.record("image.updated", uploadId);\n      if (false) {',
        ],
      ],
    },
  },
  {
    name: "early-second-pass",
    fault: "A repeated takedown does the second pass at once, before late writes have arrived",
    within: 200_000,
    changes: {
      [RUNNER]: [["if (stored !== undefined && !isSecondPass(stored.intent))", "if (stored !== undefined)"]],
      [COMPLETION]: [["object === undefined || isTakenDown(object)", "object === undefined"]],
    },
  },
  {
    name: "served-thumbnail",
    fault: "A taken-down video keeps its thumbnail",
    within: 300,
    changes: {
      "src/meter/intents/perform-takedown.ts": [
        ["if (isVideo(mimeType)) await mark(files, keyAs(thumbnail, visibility), id);", ""],
      ],
    },
  },
  {
    name: "no-alarm",
    fault: "The due time of an intent does not bring the alarm forward",
    within: 300,
    changes: {
      [STORE]: [["    this.#alarm.bringForward(dueAt);\n    return id;", "    return id;"]],
    },
  },
  {
    name: "unmoved-alarm",
    fault: "An alarm that is set is not brought forward",
    within: 50,
    changes: {
      [ALARM]: [["    if (at >= this.#at) return;", "    if (this.#at < Number.POSITIVE_INFINITY) return;"]],
    },
  },
  {
    name: "last-alarm",
    fault: "The alarm does not look for the next due time",
    within: 50,
    changes: { [ALARM]: [["at = nextDueAt();", "at = null;"]] },
  },
  {
    name: "blind-undo",
    fault: "A replay undoes an upload without looking whether its row is there",
    within: 20_000,
    changes: {
      [PERFORM]: [["if (row === undefined || (await files.head(storedKey(row))) === null) {", "if (true) {"]],
    },
  },
  {
    name: "deaf",
    fault: "An upload's signs of life are not heard",
    within: 20_000,
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
          "tables.intents.put({ ...intent, ...payer }, Math.max(0, reservedBytes - creditBytes), now + timeoutMs());",
          "tables.intents.put({ ...intent, ...payer }, Math.max(0, reservedBytes - creditBytes), now + timeoutMs());\n    tables.ledger.addStorage(reservedBytes);",
        ],
      ],
    },
  },
  {
    name: "lost-is-failed",
    fault: "A lost answer to settling is taken for a failure, and the upload's row and object are removed",
    within: 300,
    changes: {
      [COMMIT]: [
        ["import { insertUploads,", "import { deleteUploads, insertUploads,"],
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
      "src/isolate/calls.ts": [["before === undefined ? work() : before.then(work, work)", "work()"]],
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
    fault: "A revoked key is refused only by D1",
    within: 2000,
    changes: {
      [CREDENTIALS]: [
        [
          "tables.credentials.revokeKey(keyId);\n    tables.uploadTokens.removeOfKey(keyId);\n  });",
          "tables.uploadTokens.removeOfKey(keyId);\n  });",
        ],
      ],
    },
  },
  {
    name: "kept-thumbnail-bytes",
    fault: "The bytes of a thumbnail stay counted when its upload is deleted",
    within: 300,
    changes: {
      [TABLES]: [["this.countThumbnail(intent.uploadId, 0);\n      this.resumables", "this.resumables"]],
    },
  },
  {
    name: "lost-share",
    fault: "A token's file counts when it is reserved, and is not given back when it fails",
    within: 400,
    changes: {
      [UPLOADS]: [
        [
          "tables.intents.put({ ...intent, ...payer }, Math.max(0, reservedBytes - creditBytes), now + timeoutMs());",
          "tables.intents.put({ ...intent, ...payer }, Math.max(0, reservedBytes - creditBytes), now + timeoutMs());\n    if (tokenId !== undefined) tables.uploadTokens.count(tokenId, 1, 0);",
        ],
      ],
      [TABLES]: [
        [
          "this.uploadTokens.count(intent.tokenId, 1, storageBytes);",
          "this.uploadTokens.count(intent.tokenId, 0, storageBytes);",
        ],
      ],
    },
  },
  {
    name: "uncounted-share",
    fault: "A token's file that the alarm finishes is not counted",
    within: 3000,
    changes: {
      [TABLES]: [
        [
          'if (intent.kind === "upload" && operation !== null && intent.tokenId',
          'if (stored.dueAt > Date.now() && intent.kind === "upload" && operation !== null && intent.tokenId',
        ],
      ],
    },
  },
  {
    name: "shared-share",
    fault: "A token's uploads in progress do not count, so that visitors who upload at once store too much",
    within: 300,
    changes: { [TABLES]: [["token.files - held.size", "token.files"]] },
  },
  {
    name: "kept-guest-token",
    fault: "The token of a share's guests is valid after the share has ended",
    within: 2000,
    changes: {
      [SHARES]: [["    if (guests) tables.uploadTokens.removeOfShare(guests.tokenId);\n", ""]],
    },
  },
  {
    name: "old-guest-token",
    fault: "Pages that were opened before a new password keep their token",
    within: 2000,
    changes: { [SHARES]: [["former === null || hasNewPassword || hasEnded", "former === null || hasEnded"]] },
  },
  {
    name: "uncounted-guests",
    fault: "A change of the limits of guests forgets what they have stored",
    within: 2000,
    changes: {
      "src/meter/books/upload-token-store.ts": [["DO UPDATE SET hash", "DO UPDATE SET files = 0, hash"]],
    },
  },
  {
    name: "lost-message",
    fault: "A replay does not send the message of a video whose upload was cut short",
    within: 3000,
    changes: { [PERFORM]: [["if (isVideo(row.mimeType) || row.placeholder === null) {", "if (false) {"]] },
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
      [UPLOADS]: [["for (const { uploadId } of stored) await runner.finishReplay(uploadIntentId(uploadId));", ""]],
    },
  },
  {
    name: "unknown-at-home",
    fault: "An upload that began before its library moved is settled although the shard in its id does not know of it",
    within: 1500,
    changes: {
      [UPLOADS]: [["for (const { uploadId } of stored) await runner.rememberAtHome(uploadId);", ""]],
    },
  },
  {
    name: "unknown-after-replay",
    fault: "A replay keeps such an upload although the shard in its id does not know of it",
    within: 5000,
    changes: { [PERFORM]: [["  await rememberAtHome(row.id, stores);\n", ""]] },
  },
  {
    name: "open-copy",
    fault: "A library is written to while it is copied to another shard",
    within: 20_000,
    changes: { "src/meter/intents/move-pass.ts": [['await setLibraryState(from, step, "leaving");', ""]] },
  },
  {
    name: "late-deletion",
    fault: "A deletion that comes late to a shard that the library has left is taken for one",
    within: 20_000,
    changes: {
      "src/db/library/uploads.ts": [
        [".where(and(ownIds(accountId, ids), isDue, notExists(left)))", ".where(ownIds(accountId, ids))"],
        ['if (meta.changes === 0 && (await findLibraryState(db, accountId)) === "left")', "if (false)"],
      ],
    },
  },
  {
    name: "late-trash",
    fault: "A deletion from the trash that arrives late deletes a file that was restored and trashed again since",
    within: 3000,
    changes: {
      "src/db/library/uploads.ts": [["row.history === null ? isNull(history) : eq(history, row.history)", "undefined"]],
    },
  },
  {
    name: "silent-undo",
    fault: "A request that has failed removes its upload without saying so before: a replay may just be keeping it",
    within: 20_000,
    changes: { "src/services/uploads/upload-run.ts": [["    await this.#giveUp();\n", ""]] },
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
      [DELETE]: [["return tables.isDeleted(upload.uploadId)", "return false"]],
    },
  },
  {
    name: "removed-expiry",
    fault: "An expiry that its owner has changed since it came due is kept to",
    within: 1000,
    changes: {
      "src/meter/intents/expire-uploads.ts": [["if (at === undefined || at > Date.now()) return;", "void at;"]],
    },
  },
  {
    name: "late-expiry",
    fault: "A late write of an older expiry stays in the library",
    within: 1000,
    changes: {
      [COMPLETION]: [
        [
          "if (!isAgain && !tables.erasing && !tables.isDeleted(uploadId)) {\n        this.#intents.put(",
          "if (!isAgain && !tables.erasing && !tables.isDeleted(uploadId)) {\n        void (",
        ],
      ],
    },
  },
  {
    name: "used-second-pass",
    fault: "A change that an equal change has carried out does the second pass at once",
    within: 20_000,
    changes: {
      [RUNNER]: [
        ["if (stored === undefined || isSecondPass(stored.intent)) return false;", "if (!stored) return false;"],
      ],
    },
  },
  {
    name: "unwritten-expiry",
    fault: "An expiry counts as written when an earlier expiry of the file is written",
    within: 2000,
    changes: { "src/meter/intents/expire-uploads.ts": [["uploadId: upload.id, at }", "uploadId: upload.id, at: 0 }"]] },
  },
  {
    name: "unkept-expiry",
    fault: "A settled deletion leaves its expiry, or a due expiry deletes nothing",
    within: 3000,
    changes: {
      "src/meter/intents/expire-uploads.ts": [
        ["await runner.change(intent, () => tables.expiries.delete(id));", "tables.expiries.delete(id);"],
      ],
    },
  },
  {
    name: "other-visibility",
    fault: "A private upload is answered with a public file that has the same bytes",
    within: 1000,
    changes: { "src/db/library/uploads.ts": [["          eq(uploads.visibility, visibility),\n", ""]] },
  },
  {
    name: "left-duplicates",
    fault: "A request looks for equal files in the shard that the library has left",
    within: 1000,
    changes: { "src/db/library/uploads.ts": [["if (mayHaveMoved &&", "if (false &&"]] },
  },
  {
    name: "given-up-duplicate",
    fault: "An upload is answered with a file that a failed request is about to remove",
    within: 2000,
    changes: { "src/meter/intents/upload-standing.ts": [["!tables.isUpload(uploadId)) return", "false) return"]] },
  },
  {
    name: "unclaimed-bytes",
    fault: "Two equal uploads with `dedupe` at a time are both stored",
    within: 3000,
    changes: {
      "src/meter/books/byte-claim-store.ts": [
        ["else if (wanted.has(sha256) && !own.has(upload_id)) return false;", "else void [wanted, own];"],
      ],
    },
  },
  {
    name: "unsettled-duplicate",
    fault: "An upload is answered with a file that is not settled",
    within: 3000,
    changes: {
      "src/services/uploads/known-bytes.ts": [
        ["if (settled === undefined) return undefined;", ""],
        ["({ id }) => id === settled", "({ id }) => settled === undefined || id === settled"],
      ],
    },
  },
  {
    name: "undone-duplicate",
    fault: "An upload is answered with a file that was undone while the request asked whether it is settled",
    within: 3000,
    changes: {
      "src/services/uploads/known-bytes.ts": [
        ["return (await findSameBytes(library, accountId, wanted)).find", "return found.find"],
      ],
    },
  },
  {
    name: "kept-sessions",
    fault: "A new password ends no session",
    within: 300,
    changes: { [CREDENTIALS]: [["    tables.sessions.endOthers(keptSessionId);\n", ""]] },
  },
  {
    name: "reused-link",
    fault: "A link sets a second password, which was asked for while the first was being set",
    within: 1500,
    changes: {
      [CREDENTIALS]: [
        [
          "if (!(await isPassword(context, formerHash)) || !tables.credentials.isPassword(formerHash)) return false;",
          "await isPassword(context, formerHash);",
        ],
      ],
    },
  },
  {
    name: "half-revocation",
    fault: "The keys that a new password revokes are not announced to the directory",
    within: 300,
    changes: {
      [CREDENTIALS]: [['      tables.intents.put({ kind: "revoke-key", keyId }, 0, Date.now());\n', ""]],
    },
  },
  {
    name: "kept-variants",
    fault: "A file that turns private keeps its public variants",
    within: 3000,
    changes: { [VISIBILITY]: [["  await removeVariants(version, former, stores);\n", ""]] },
  },
  {
    name: "row-first",
    fault: "A row has the new visibility before its file is copied, and a replay trusts the row",
    within: 3000,
    changes: {
      [VISIBILITY]: [
        [
          "  for (const path of paths) await bring(path, row.visibility === visibility, visibility, files);\n  if (row.visibility !== visibility) await setVisibility(library, row, visibility);\n",
          "  if (row.visibility !== visibility) await setVisibility(library, row, visibility);\n  for (const path of paths) await bring(path, row.visibility === visibility, visibility, files);\n",
        ],
        [
          "if (isMoved && ((await files.head(former)) === null || (await files.head(key)) !== null)) return;",
          "if (isMoved) return;",
        ],
      ],
    },
  },
  {
    name: "undone-replacement",
    fault: "A replacement is undone, not finished, after its row has the new bytes",
    within: 3000,
    changes: {
      [REPLACEMENT]: [
        ["  if (former === undefined) {", "  if (former === undefined || former.objectKey === to.objectKey) {"],
      ],
    },
  },
  {
    name: "kept-former-bytes",
    fault: "The former bytes of a file stay in R2",
    within: 300,
    changes: {
      [REPLACEMENT]: [["if (objectKey !== row.objectKey) await removeBytes", "if (false) await removeBytes"]],
    },
  },
  {
    name: "no-second-replacement",
    fault: "A late write of a replacement is never removed",
    within: 20_000,
    changes: {
      [COMPLETION]: [
        [
          "if (isReplaced && !tables.isDeleted(uploadId)) tables.settleReplacement(intent);\n      this.#intents.put(",
          "if (isReplaced && !tables.isDeleted(uploadId)) tables.settleReplacement(intent);\n      void (",
        ],
      ],
    },
  },
  {
    name: "stale-deletion",
    fault: "A deletion removes and frees the bytes that its caller knew, although they were replaced since",
    within: 3000,
    changes: {
      [COMPLETION]: [
        [
          'if (intent.kind === "delete") return this.#delete(...(await this.#follow(stored, intent)));',
          'if (intent.kind === "delete") return this.#delete(stored, intent);',
        ],
      ],
    },
  },
  {
    name: "double-replacement",
    fault: "A replacement is begun while another one of the same file is not finished",
    within: 20_000,
    changes: { [REPLACE]: [["      if (!isSecondPass(intent)) await carryOut(id);", "      void [id, intent];"]] },
  },
  {
    name: "unknown-address",
    fault: "The account's object does not copy the address that the directory has set",
    within: 300,
    changes: {
      [TABLES]: [
        [
          "this.credentials.setProfile({ ...profile, email, emailVerifiedAt });",
          "this.credentials.setProfile({ ...profile });",
        ],
      ],
    },
  },
  {
    name: "unmarked-item",
    fault: "The settlement of an upload does not mark its item as done",
    within: 300,
    changes: { [TABLES]: [["this.imports.settle(intent.importItem, intent.uploadId, at);", ";"]] },
  },
  {
    name: "hasty-item",
    fault: "An item is begun again while the upload of its last attempt may still be kept",
    within: 10_000,
    changes: {
      "src/meter/imports/attempts.ts": [
        ["return uploadId !== null && tables.intents.find(uploadIntentId(uploadId)) !== undefined;", "return false;"],
      ],
    },
  },
  {
    name: "late-attempt",
    fault: "The upload of an attempt that is not the last one is accepted",
    within: 10_000,
    changes: {
      [UPLOADS]: [
        [
          "if (importItem !== undefined && !tables.imports.isBegun(importItem, intent.uploadId)) return",
          'if (importItem !== undefined && intent.uploadId === "") return',
        ],
      ],
    },
  },
  {
    name: "unawaited-end",
    fault: "The alarm completes the upload of an item that was cancelled",
    within: 20_000,
    changes: {
      "src/meter/resumable/resumable-ends.ts": [
        ["if (expiresAt(upload) <= now || !this.#isAwaited(upload))", "if (expiresAt(upload) <= now)"],
      ],
    },
  },
];
