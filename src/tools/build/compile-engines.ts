/**
 * Compiles AssemblyScript to WebAssembly. Its arguments are pairs of the file with the exports and the target. One process compiles all files,
 * because the compiler takes longer to start than to compile a small file.
 */

/** The engines have no runtime: they manage their own memory, and never end by an assertion. */
const OPTIONS = ["--runtime", "stub", "-O3", "--converge", "--noAssert", "--use", "abort=", "--enable", "simd"];

interface Compiler {
  main(
    options: readonly string[],
    streams: Pick<typeof process, "stdout" | "stderr">,
  ): Promise<{ error: Error | null }>;
}

// Its own types would declare a `console` of AssemblyScript for the whole project.
const { main } = (await import(import.meta.resolve("assemblyscript/asc"))) as Compiler;
const { stdout, stderr } = process;
for (let files = process.argv.slice(2); files.length > 0; files = files.slice(2)) {
  const [source = "", target = ""] = files;
  const { error } = await main([source, "--outFile", target, ...OPTIONS], { stdout, stderr });
  if (error !== null) throw error;
}
