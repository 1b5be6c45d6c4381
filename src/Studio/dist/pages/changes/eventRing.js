// src/pages/changes/eventRing.ts
/** The last of a stream of things: what is more than it keeps goes, and is counted. It is changed in place. */
var EventRing = class {
	#kept;
	#count = 0;
	constructor(capacity) {
		this.#kept = new Array(capacity).fill(void 0);
	}
	/** How many there are. */
	get length() {
		return Math.min(this.#count, this.#kept.length);
	}
	/** How many there were. */
	get total() {
		return this.#count;
	}
	/** Adds one; the oldest goes if there is no room. */
	add(item) {
		this.#kept[this.#count % this.#kept.length] = item;
		this.#count++;
	}
	/** One by its age: 0 is the newest. */
	at(age) {
		return age < 0 || age >= this.length ? void 0 : this.#kept[(this.#count - 1 - age) % this.#kept.length];
	}
	/** Forgets all. */
	clear() {
		this.#count = 0;
		this.#kept.fill(void 0);
	}
};

export { EventRing };