import { ANSWER_DEPTH } from "../../api/documents";
import { member, parseJson, printJson, textMember } from "../../json/jsonTree";
import { withoutSystemFields } from "../../json/systemFields";
import type { Tone } from "../../ui/chip";
import { formatCount, plural } from "../../ui/format";

/** GET subscriptions/state, and a row of GET subscriptions */
export interface Subscription {
  readonly SubscriptionId: number;
  readonly SubscriptionName: string;
  readonly Query: string;
  readonly ChangeVectorForNextBatchStartingPoint: string | null;
  readonly LastBatchAckTime: string | null;
  readonly LastClientConnectionTime: string | null;
  readonly Disabled: boolean;
  readonly ArchivedDataProcessingBehavior: string;
  readonly Lag: number;
  readonly OwedDocuments: number;
  readonly AsideDocuments: number;
  readonly DocumentsSent: number;
  readonly BatchesAcknowledged: number;
  readonly Failures: number;
  readonly LastError: string | null;
  readonly Workers: readonly SubscriptionWorker[];
}

/** Who gets the documents of a subscription. */
export interface SubscriptionWorker {
  readonly WorkerId: string | null;
  readonly Strategy: string;
  readonly Address: string | null;
  readonly ConnectedAt: string;
}

/** What a subscription is doing, the worst first. */
export function subscriptionState(one: Subscription): { tone: Tone; word: string } {
  if (one.Disabled) {
    return { tone: "none", word: "disabled" };
  }
  if (one.AsideDocuments > 0) {
    return { tone: "bad", word: `${plural(one.AsideDocuments, "document")} set aside` };
  }
  if (one.Workers.length > 0) {
    return { tone: "good", word: one.Lag + one.OwedDocuments > 0 ? "sending" : "waiting for changes" };
  }
  return one.Lag + one.OwedDocuments > 0
    ? { tone: "stale", word: "no worker" }
    : { tone: "good", word: "no worker, nothing to send" };
}

/** Whether a subscription is of a filter of the list. */
export function isOfSubscriptionFilter(one: Subscription, show: string, text: string): boolean {
  const isNamed = one.SubscriptionName.toLowerCase().includes(text.toLowerCase());
  switch (show) {
    case "waiting":
      return isNamed && !one.Disabled && one.Workers.length === 0 && one.Lag + one.OwedDocuments > 0;
    case "aside":
      return isNamed && one.AsideDocuments > 0;
    default:
      return isNamed;
  }
}

/** How far behind a subscription is, in words. */
export function lagText(one: Subscription): string {
  const owed = one.OwedDocuments > 0 ? `, ${formatCount(one.OwedDocuments)} on their way` : "";
  return `${formatCount(one.Lag)}${owed}`;
}

/** Where a subscription begins, as it is chosen. */
export type StartChoice = "BeginningOfTime" | "LastDocument" | "vector" | "keep";

/** The position that is sent: undefined keeps the one that there is. */
export function startVector(choice: StartChoice, vector: string): { vector?: string; wrong?: string } {
  switch (choice) {
    case "keep":
      return {};
    case "vector":
      return /^\s*[A-Za-z0-9]+:\d+-\S+/.test(vector)
        ? { vector: vector.trim() }
        : { wrong: "Write a change vector, such as A:116-elUJUqDrFZBGGYAK1U0zGg." };
    default:
      return { vector: choice };
  }
}

/** A document that a query would send. */
export interface TriedDocument {
  readonly id: string;
  readonly text: string;
  /** What the script threw. */
  readonly error: string | undefined;
}

/** Reads the documents that a query would send; their numbers keep their digits. */
export function readTried(answer: string): readonly TriedDocument[] {
  const results = member(parseJson(answer, ANSWER_DEPTH), "Results");
  return (results?.kind === "array" ? results.items : []).map((node) => {
    const metadata = member(node, "@metadata");
    const error = textMember(node, "Exception");
    return {
      id: textMember(metadata, "@id") ?? textMember(node, "Id") ?? "",
      text: printJson(withoutSystemFields(node), 2),
      error: metadata ? undefined : error,
    };
  });
}
