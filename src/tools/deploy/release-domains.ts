import type { Run } from "./run.ts";

interface AttachedDomain {
  readonly id: string;
  readonly hostname: string;
  readonly service: string;
}

/** Removes domains that the installation gave up. wrangler keeps them on a Worker without domains. */
export async function releaseDomains(run: Run): Promise<void> {
  const { api, accountId, installation, progress, configs, formerDomains } = run;
  const own = new Set(configs.map(({ name }) => name));
  const path = `/accounts/${accountId}/workers/domains`;
  for (const hostname of formerDomains) {
    const attached = await api.call<AttachedDomain[]>(path, { permission: "scripts", query: { hostname } });
    const found = attached.find((each) => each.hostname === hostname && own.has(each.service));
    if (found === undefined) continue;
    await progress.change(`take the domain ${hostname} from the Worker ${found.service}`, () =>
      api.call(`${path}/${found.id}`, { method: "DELETE", permission: "routes" }),
    );
  }
  if (!progress.isDryRun) await installation.update({ formerDomains: [] });
}
