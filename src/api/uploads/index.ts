import { createRouter } from "../router.ts";
import { cancelUpload } from "./cancel-upload.ts";
import { listUnfinishedUploads } from "./list-unfinished.ts";
import { resumeUpload } from "./resume-upload.ts";
import { showUpload } from "./show-upload.ts";

/** Uploads that come in pieces; `POST /images/upload` creates them. */
export const uploads = createRouter();

for (const endpoint of [listUnfinishedUploads, showUpload, resumeUpload, cancelUpload]) uploads.route("/", endpoint);
