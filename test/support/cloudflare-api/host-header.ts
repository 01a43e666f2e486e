/** The host that a request was for, as `route-hosts.ts` passes it on to the edge. */
export const HOST_HEADER = "x-edge-host";
