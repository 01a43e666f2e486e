import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { DAY_MS } from "../../../src/domain/calendar.ts";
import { thumbnailKey } from "../../../src/domain/object-key.ts";
import { meterOf } from "../../support/api/account-state.ts";
import { callJson, openAccount, uploadOne } from "../../support/api/api.ts";
import {
  changeImage,
  createFolder,
  deleteFolder,
  deleteImage,
  moveToTrash,
  restore,
} from "../../support/library/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { kindsOf, moveAway, reconcile } from "../../support/reconcile/reconcile.ts";
import { seeded } from "../../support/uploads/multipart.ts";

const LOAD_MS = 25_000;
const MOVES_MS = 15_000;
/** Five clients stay below an account's thousand requests a minute, on a machine of any speed. */
const PAUSE_MS = 150;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it("A comparison never reports work in progress as damage", { timeout: 120_000 }, async () => {
  const account = await openAccount("business");
  const random = seeded(7);
  const pick = (items: readonly string[]) => items[random(items.length)] ?? "";
  const endsAt = Date.now() + LOAD_MS;
  let folders: string[] = [await createFolder(account.token, "first")];
  let uploads: string[] = [];
  let deeds = 0;
  const client = async (number: number) => {
    while (Date.now() < endsAt) {
      deeds += 1;
      await sleep(PAUSE_MS);
      const id = pick(uploads);
      const deed = uploads.length < 10 ? 0 : random(9);
      if (deed <= 2) {
        const file = random(3) === 0 ? { name: "a.mp4", bytes: mp4(2000) } : { name: "a.png", bytes: png() };
        const { _id } = await uploadOne(account.token, file, {
          folderId: pick([...folders, "root"]),
          tags: pick(["sun", "sea,sun", ""]),
        }).catch(() => ({ _id: "" }));
        if (_id === "") continue;
        uploads.push(_id);
        if (file.name !== "a.mp4") continue;
        if ((await meterOf(account.id).reserveThumbnail(_id, 300)) !== "reserved") continue;
        await env.FILES.put(thumbnailKey(account.id, _id), new Uint8Array(300));
        await meterOf(account.id).settleThumbnail(_id);
      } else if (deed === 3) {
        uploads = uploads.filter((other) => other !== id);
        await deleteImage(account.token, id);
      } else if (deed === 4) await moveToTrash(account.token, [id]);
      else if (deed === 5) await restore(account.token, [id]);
      else if (deed === 6)
        await changeImage(account.token, id, { tags: [pick(["sun", "rain"])], favorite: random(2) === 0 }).catch(
          () => undefined,
        );
      else if (deed === 7)
        await callJson("PATCH", `/images/${id}`, account.token, { folderId: pick(folders) || "root" });
      else if (random(3) === 0) folders = [...folders, await createFolder(account.token, `${number} ${deeds}`)];
      else if (folders.length > 1) {
        const [first = "", ...others] = folders;
        folders = others;
        await deleteFolder(account.token, first).catch(() => undefined);
      }
    }
  };
  let comparisons = 0;
  const compare = async () => {
    while (Date.now() < endsAt) {
      // An account that changes all the time is postponed to another night.
      const outcome = await reconcile(account.id, true, DAY_MS).catch((error: Error) => {
        expect(error.message).toContain("busy");
        return { findings: [] };
      });
      expect(outcome.findings).toEqual([]);
      comparisons += 1;
    }
  };
  await Promise.all([...Array.from({ length: 5 }, (_, number) => client(number)), compare()]);
  console.info(`${deeds} deeds, ${comparisons} comparisons`);
  expect(await kindsOf(account.id)).toEqual([]);
  expect(comparisons).toBeGreaterThan(0);
});

it("A comparison never reports a moving library with changing files as damage", { timeout: 120_000 }, async () => {
  const account = await openAccount("business");
  const endsAt = Date.now() + MOVES_MS;
  const uploads: string[] = [];
  const client = async () => {
    while (Date.now() < endsAt) {
      // During a move, uploads are answered with the time to retry.
      const { _id } = await uploadOne(account.token, { name: "a.png", bytes: png() }, { tags: "sun" }).catch(() => ({
        _id: "",
      }));
      if (_id !== "") uploads.push(_id);
      const old = uploads.length > 20 ? uploads.shift() : undefined;
      if (old !== undefined) await deleteImage(account.token, old);
    }
  };
  let moves = 0;
  const move = async () => {
    for (; Date.now() < endsAt; moves++) await moveAway(account.id);
  };
  let comparisons = 0;
  const compare = async () => {
    while (Date.now() < endsAt) {
      const outcome = await reconcile(account.id, true, DAY_MS).catch((error: Error) => {
        expect(error.message).toContain("busy");
        return undefined;
      });
      expect(outcome?.findings ?? []).toEqual([]);
      if (outcome === undefined) await sleep(50);
      else comparisons += 1;
    }
  };
  await Promise.all([client(), client(), move(), compare()]);
  console.info(`${moves} moves, ${comparisons} comparisons`);
  expect(await kindsOf(account.id)).toEqual([]);
  expect(moves).toBeGreaterThan(0);
});
