import type { TestProjectInlineConfiguration } from "vitest/config";

/** A project of the suite. `package.json` has the commands that run them. */
export interface Project extends TestProjectInlineConfiguration {
  readonly test: TestProjectInlineConfiguration["test"] & {
    readonly name: string;
    readonly include: string[];
    readonly exclude?: string[];
  };
}
