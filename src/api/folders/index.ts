import { createRouter } from "../router.ts";

export const folders = createRouter();
