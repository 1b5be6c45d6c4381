import type { DocumentText } from "../json/jsonJobs";
import { member, parseJson, textMember } from "../json/jsonTree";
import { runJob } from "../json/jsonWork";
import { ANSWER_DEPTH } from "./documents";
import { databasePath, ServerError, send } from "./http";

/** Reads a document as a text for an editor; undefined if there is none. */
export async function readDocumentText(
  database: string,
  id: string,
  signal?: AbortSignal,
): Promise<DocumentText | undefined> {
  const answer = await ask(database, { id }, signal);
  return answer === undefined ? undefined : ((await runJob("open", answer)) ?? undefined);
}

/** Reads the change vector of a document and nothing else of it; undefined if there is none. */
export async function readVersion(database: string, id: string): Promise<string | undefined> {
  const answer = await ask(database, { id, metadataOnly: true });
  const results = answer === undefined ? undefined : member(parseJson(answer, ANSWER_DEPTH), "Results");
  const first = results?.kind === "array" ? results.items[0] : undefined;
  return textMember(member(first, "@metadata"), "@change-vector");
}

async function ask(
  database: string,
  query: Record<string, string | boolean>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  try {
    return (await send("GET", databasePath(database, "docs"), { query, ...(signal ? { signal } : {}) })).text;
  } catch (error) {
    // A 404 of the database is no 404 of the document.
    if (error instanceof ServerError && error.status === 404 && !error.isDatabaseMissing) {
      return undefined;
    }
    throw error;
  }
}
