import { ServerError } from "../../api/http.js";

// src/pages/attachments/uploads.ts
/** The files that go to one document, one after the other; they go on while the person looks at another page. */
var UploadQueue = class {
	#store;
	#onStored;
	#listeners = /* @__PURE__ */ new Set();
	#entries = [];
	#shown = [];
	#lastKey = 0;
	constructor(store, onStored) {
		this.#store = store;
		this.#onStored = onStored;
	}
	/** What is on its way, or asks for something; another array after each change. */
	list = () => this.#shown;
	watch = (listener) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};
	/** Whether closing the page would lose something. */
	get isBusy() {
		return this.#entries.some(({ shown }) => shown.state === "waits" || shown.state === "runs");
	}
	add(files) {
		for (const file of files) {
			const shown = {
				key: ++this.#lastKey,
				name: file.name,
				size: file.size,
				sent: 0,
				state: "waits"
			};
			this.#entries.push({
				shown,
				file,
				version: "",
				ending: void 0
			});
		}
		this.#changed();
		this.#next();
	}
	/** Ends one, or takes it out of the list. */
	remove(key) {
		const entry = this.#find(key);
		this.#entries = this.#entries.filter((one) => one !== entry);
		entry?.ending?.abort();
		this.#changed();
		this.#next();
	}
	/** Sends one again that failed; or, if its name was taken, over what the name has. */
	again(key) {
		const entry = this.#find(key);
		if (!entry || entry.ending) return;
		if (entry.shown.state === "taken") entry.version = takenBy(entry.shown.error) ?? "";
		const { error: _, ...rest } = entry.shown;
		entry.shown = {
			...rest,
			state: "waits",
			sent: 0
		};
		this.#changed();
		this.#next();
	}
	#find(key) {
		return this.#entries.find((one) => one.shown.key === key);
	}
	#next() {
		const entry = this.#entries.find((one) => one.shown.state === "waits");
		if (entry && !this.#entries.some((one) => one.shown.state === "runs")) this.#run(entry);
	}
	async #run(entry) {
		const ending = new AbortController();
		entry.ending = ending;
		this.#show(entry, { state: "runs" });
		try {
			await this.#store(entry.shown.name, entry.file, entry.version, ending.signal, (sent) => this.#show(entry, { sent: Math.min(sent, entry.shown.size) }));
			this.#entries = this.#entries.filter((one) => one !== entry);
			this.#changed();
			this.#onStored(entry.shown.name);
		} catch (error) {
			entry.ending = void 0;
			this.#show(entry, {
				state: takenBy(error) === void 0 ? "failed" : "taken",
				error
			});
		}
		this.#next();
	}
	#show(entry, change) {
		entry.shown = {
			...entry.shown,
			...change
		};
		this.#changed();
	}
	#changed() {
		this.#shown = this.#entries.map((one) => one.shown);
		for (const listener of this.#listeners) listener();
	}
};
/** The version of the attachment that has the name, if that is why a file was refused. */
function takenBy(error) {
	if (!(error instanceof ServerError) || error.status !== 409) return;
	try {
		const { ActualChangeVector: version } = JSON.parse(error.body);
		return typeof version === "string" ? version : void 0;
	} catch {
		return;
	}
}

export { UploadQueue };