import type { Project } from "../project.ts";
/**
 * Deployments to an emulated Cloudflare API that are interrupted, lose resources, or share an account with others. They take six minutes
 * and have their own command (`npm run test:deploy`). The deployment to a fresh account and the update after it run with the other long
 * tests.
 */
export function deployProject(): Project {
  return {
    test: { name: "deploy", include: ["test/deploy/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
  };
}
