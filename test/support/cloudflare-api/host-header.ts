/** The host of a request, as `route-hosts.ts` passes it to the edge. */
export const HOST_HEADER = "x-edge-host";
