/** A seeded stream of random numbers; made by `randomFor` in `src/stats/random.ts`. */
export interface Random {
  /** Uniform in [0, 1), 53 bits. */
  uniform(): number;
  /** Whole number in [low, high], both included. */
  integer(low: number, high: number): number;
  /** Standard normal. */
  normal(): number;
  /** One element. */
  pick<T>(items: readonly T[]): T;
  /** A shuffled copy. */
  shuffle<T>(items: readonly T[]): T[];
}
