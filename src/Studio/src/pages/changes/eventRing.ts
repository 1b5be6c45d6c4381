/** The last of a stream of things: what is more than it keeps goes, and is counted. It is changed in place. */
export class EventRing<T> {
  readonly #kept: (T | undefined)[];
  #count = 0;

  constructor(capacity: number) {
    this.#kept = new Array<T | undefined>(capacity).fill(undefined);
  }

  /** How many there are. */
  get length(): number {
    return Math.min(this.#count, this.#kept.length);
  }

  /** How many there were. */
  get total(): number {
    return this.#count;
  }

  /** Adds one; the oldest goes if there is no room. */
  add(item: T): void {
    this.#kept[this.#count % this.#kept.length] = item;
    this.#count++;
  }

  /** One by its age: 0 is the newest. */
  at(age: number): T | undefined {
    return age < 0 || age >= this.length ? undefined : this.#kept[(this.#count - 1 - age) % this.#kept.length];
  }

  /** Forgets all. */
  clear(): void {
    this.#count = 0;
    this.#kept.fill(undefined);
  }
}
