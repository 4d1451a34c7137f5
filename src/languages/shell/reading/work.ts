/**
 * Bound on what is read for one input besides its own text: texts that it runs, words that braces make, and
 * commands in the arguments of commands. Counted in characters.
 */
export class Work {
  private spent = 0;

  constructor(private readonly limit: number) {}

  /** Counts work that is about to be done. Returns false if it must not be done. */
  spend(characters: number): boolean {
    this.spent += characters;
    return this.spent <= this.limit;
  }
}
