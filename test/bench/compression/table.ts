/** A table on standard output, line by line: the first column left, the others right. */
export class Table {
  readonly #widths: readonly number[];

  /** @param headings empty headings are not printed; each is as wide as its column, except the first */
  constructor(firstWidth: number, headings: readonly string[]) {
    this.#widths = [firstWidth, ...headings.slice(1).map((heading) => heading.length)];
    this.print(headings);
  }

  print(cells: readonly string[]): void {
    const padded = cells.map((cell, column) => {
      const width = this.#widths[column] ?? 0;
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    console.log(`  ${padded.join("  ")}`);
  }
}
