/** Numbers that a seed decides (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number below a bound. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** One of a list. */
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

/** How many times the slow shard lengthens a fuzz run; STUDIO_FUZZ says it. */
export const FUZZ = Number(process.env.STUDIO_FUZZ ?? "1");

/** The first seed; STUDIO_SEED replays another one. */
export const SEED = Number(process.env.STUDIO_SEED ?? "20261127");
