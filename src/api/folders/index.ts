import { createRouter } from "../router.ts";
import { createFolder } from "./create-folder.ts";
import { deleteFolder } from "./delete-folder.ts";
import { listFolders } from "./list-folders.ts";
import { updateFolder } from "./update-folder.ts";

export const folders = createRouter();

for (const endpoint of [listFolders, createFolder, updateFolder, deleteFolder]) folders.route("/", endpoint);
