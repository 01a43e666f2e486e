import { createMethodsRPC, type TestProject } from "vitest/node";

/**
 * Transforms the imports of the setup files before the first worker starts. A worker asks once for all known modules; each later module is
 * a round trip, and the service has 850. Six workers at once took over 20 s for them.
 */
export default async function prepareModules(project: TestProject): Promise<void> {
  await createMethodsRPC(project).prewarmModuleGraph("ssr", project.config.setupFiles);
}
