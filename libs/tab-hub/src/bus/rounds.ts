/** Takes turns: some of a changing number at each step, and all that stay within `steps` steps. */
export class Rounds<Name> {
  private left: Name[] = [];
  private share = 0;

  constructor(private readonly steps: number) {}

  /** Whose turn it is; `all` is asked for at the beginning of each round. Some may be gone by now. */
  next(all: () => Iterable<Name>): readonly Name[] {
    if (this.left.length === 0) {
      this.left = [...all()];
      this.share = Math.ceil(this.left.length / this.steps);
    }
    return this.left.splice(0, this.share);
  }
}
