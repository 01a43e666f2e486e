import { createMethodsRPC, type TestProject } from "vitest/node";

/**
 * Transforms the imports of the setup files before the first worker starts. A worker asks once for all known modules, and each later module
 * takes a round trip. The service has 850 modules, and six workers at once took over 20 s for them.
 */
export default async function prepareModules(project: TestProject): Promise<void> {
  await createMethodsRPC(project).prewarmModuleGraph("ssr", project.config.setupFiles);
}
