/**
 * The host from which the Container reads videos. It exists only in the outbound handler of `MediaContainer`. Plain HTTP, because the
 * request never leaves the Worker that started the Container.
 */
export const SOURCE_HOST = "files.media-host.internal";
export const SOURCE_ORIGIN = `http://${SOURCE_HOST}`;
