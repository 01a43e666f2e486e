/**
 * Deployments to an emulated Cloudflare API that break off, lose things, or share an account with others. They take six minutes: a command of
 * their own (`npm run test:deploy`), while the deployment to a fresh account and the update after it are run with the other long tests.
 */
export function deployProject() {
  return {
    test: { name: "deploy", include: ["test/deploy/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
  };
}
