// Keeps the files that another app shares with the installed dashboard until the page has asked for them (uploads/share-target.ts). Its scope is
// this folder, so it is in the way of no other request.
const ACTION = "/dashboard/app/share";
const SHARED = "/dashboard/library?shared=files";

addEventListener("install", () => skipWaiting());

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "POST" && new URL(url).pathname === ACTION) event.respondWith(keep(event.request));
});

async function keep(request) {
  try {
    const files = (await request.formData()).getAll("files").filter((value) => value instanceof File);
    // Files that nobody asked for are replaced.
    await caches.delete("shared-files");
    const cache = await caches.open("shared-files");
    for (const [index, file] of files.entries()) {
      const headers = { "Content-Type": file.type, "File-Name": encodeURIComponent(file.name) };
      await cache.put(`${ACTION}/${index}`, new Response(file, { headers }));
    }
  } catch {
    // For example, the device has no room for a copy. The page says that no file has arrived.
    await caches.delete("shared-files").catch(() => undefined);
  }
  return Response.redirect(SHARED, 303);
}
