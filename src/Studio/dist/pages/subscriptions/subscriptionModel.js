import { member, parseJson, printJson, textMember } from "../../json/jsonTree.js";
import { withoutSystemFields } from "../../json/systemFields.js";
import { formatCount, plural } from "../../ui/format.js";

// src/pages/subscriptions/subscriptionModel.ts
/** What a subscription is doing, the worst first. */
function subscriptionState(one) {
	if (one.Disabled) return {
		tone: "none",
		word: "disabled"
	};
	if (one.AsideDocuments > 0) return {
		tone: "bad",
		word: `${plural(one.AsideDocuments, "document")} set aside`
	};
	if (one.Workers.length > 0) return {
		tone: "good",
		word: one.Lag + one.OwedDocuments > 0 ? "sending" : "waiting for changes"
	};
	return one.Lag + one.OwedDocuments > 0 ? {
		tone: "stale",
		word: "no worker"
	} : {
		tone: "good",
		word: "no worker, nothing to send"
	};
}
/** Whether a subscription is of a filter of the list. */
function isOfSubscriptionFilter(one, show, text) {
	const isNamed = one.SubscriptionName.toLowerCase().includes(text.toLowerCase());
	switch (show) {
		case "waiting": return isNamed && !one.Disabled && one.Workers.length === 0 && one.Lag + one.OwedDocuments > 0;
		case "aside": return isNamed && one.AsideDocuments > 0;
		default: return isNamed;
	}
}
/** How far behind a subscription is, in words. */
function lagText(one) {
	const owed = one.OwedDocuments > 0 ? `, ${formatCount(one.OwedDocuments)} on their way` : "";
	return `${formatCount(one.Lag)}${owed}`;
}
/** The position that is sent: undefined keeps the one that there is. */
function startVector(choice, vector) {
	switch (choice) {
		case "keep": return {};
		case "vector": return /^\s*[A-Za-z0-9]+:\d+-\S+/.test(vector) ? { vector: vector.trim() } : { wrong: "Write a change vector, such as A:116-elUJUqDrFZBGGYAK1U0zGg." };
		default: return { vector: choice };
	}
}
/** Reads the documents that a query would send; their numbers keep their digits. */
function readTried(answer) {
	const results = member(parseJson(answer, 512), "Results");
	return (results?.kind === "array" ? results.items : []).map((node) => {
		const metadata = member(node, "@metadata");
		const error = textMember(node, "Exception");
		return {
			id: textMember(metadata, "@id") ?? textMember(node, "Id") ?? "",
			text: printJson(withoutSystemFields(node), 2),
			error: metadata ? void 0 : error
		};
	});
}

export { isOfSubscriptionFilter, lagText, readTried, startVector, subscriptionState };