import { createRouter } from "../router.ts";
import { bulkDelete } from "./bulk-delete.ts";
import { bulkUpdate } from "./bulk-update.ts";
import { bulkRestore, bulkTrash } from "./change-status.ts";
import { deleteImage } from "./delete-image.ts";
import { getImage } from "./get-image.ts";
import { getTimeline } from "./get-timeline.ts";
import { listImages } from "./list-images.ts";
import { updateImage } from "./update-image.ts";
import { uploadImages } from "./upload-images.ts";

export const images = createRouter();

for (const endpoint of [
  uploadImages,
  listImages,
  bulkTrash,
  bulkRestore,
  bulkUpdate,
  bulkDelete,
  // Must precede the routes with `{id}` at the same place.
  getTimeline,
  getImage,
  updateImage,
  deleteImage,
]) {
  images.route("/", endpoint);
}
