import { expect, it } from "vitest";
import { expectConsistent, replayTwice } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, upload } from "../../support/api/api.ts";
import { createFolder, deleteImage, patchImage, requestBulkUpdate, uploadMany } from "../../support/library/api.ts";
import { expectEqualToModel } from "../../support/library/comparison.ts";
import { fileNumber, TAGS } from "../../support/library/fixture.ts";
import { pick } from "../../support/library/random-query.ts";
import { modelOfWhatIsShown } from "../../support/library/shown.ts";
import { seeded } from "../../support/uploads/multipart.ts";

const CLIENTS = 5;
const STEPS = 14;

it.each([1, 2, 3, Date.now() % 1_000_000])(
  "A library that several clients change at once agrees with itself afterwards (seed %d)",
  async (seed) => {
    const random = seeded(seed);
    const account = await openAccount("business");
    const { token } = account;
    const folders = [await createFolder(token, "first"), await createFolder(token, "second")];
    const ids: string[] = [];
    const files = Array.from({ length: 20 }, (_, i) => fileNumber(i, "beach"));
    ids.push(...(await uploadMany(token, files, { tags: "sun" })).map(({ _id }) => _id));

    const someTags = () => TAGS.filter(() => random(4) === 0);
    const someIds = () => ids.filter(() => random(3) === 0);
    const place = () => pick(random, [null, ...folders]);
    const actions: (() => Promise<Response>)[] = [
      () => patchImage(token, pick(random, ids), { tags: someTags(), favorite: random(2) === 0 }),
      () => patchImage(token, pick(random, ids), { folderId: place() }),
      () => requestBulkUpdate(token, { ids: [pick(random, ids), ...someIds()], folderId: place(), addTags: ["sea"] }),
      () => requestBulkUpdate(token, { ids: [pick(random, ids), ...someIds()], removeTags: ["sea"], favorite: true }),
      () => callJson("POST", "/images/bulk-trash", token, { ids: someIds() }),
      () => callJson("POST", "/images/bulk-restore", token, { ids: someIds() }),
      () => deleteImage(token, pick(random, ids)),
      () => call(`/folders/${pick(random, folders)}`, { method: "DELETE", headers: bearer(token) }),
      async () => {
        const response = await callJson("POST", "/folders", token, { name: `f${random(50)}`, parentId: place() });
        if (response.status === 201) folders.push((await response.clone().json<{ _id: string }>())._id);
        return response;
      },
      async () => {
        const fields = { folderId: place() ?? "root", tags: someTags().join(",") };
        const response = await upload(token, [fileNumber(random(1000), "late"), fileNumber(random(1000), "x")], fields);
        const { uploaded = [] } = await response.clone().json<{ uploaded?: { _id: string }[] }>();
        ids.push(...uploaded.map(({ _id }) => _id));
        return response;
      },
    ];
    const statuses = new Set<number>();
    const client = async () => {
      for (let step = 0; step < STEPS; step++) statuses.add((await pick(random, actions)()).status);
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));

    // Refused if a folder or an upload was gone already, but never because of the service.
    expect([...statuses].filter((status) => ![200, 201, 400, 404].includes(status))).toEqual([]);
    const model = await modelOfWhatIsShown(account);
    expect(model.items.length).toBeGreaterThan(5);
    for (const { folderId } of model.items) expect([null, ...model.folderIds]).toContain(folderId);
    for (let round = 0; round < 3; round++) await expectEqualToModel(account, model, random);
    await replayTwice(account.id);
    await expectEqualToModel(account, model, random);
    await expectConsistent(account.id);
  },
);
