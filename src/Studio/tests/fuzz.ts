import { JsonError } from "../src/json/jsonError";
import { checkJson, formatJson } from "../src/json/jsonFormat";
import { isSame, parseDocument, parseJson } from "../src/json/jsonTree";
import { mutate, randomJson, withoutBlanks } from "./jsonText";
import { Random } from "./random";

// The long runs of `slow`, started by build/fuzz.mjs. Each text is made of its seed alone: what fails is named by it.

/** What is wrong with how the scanner takes a mutated text; undefined if nothing is. */
export function checkMutated(seed: number): string | undefined {
  const random = new Random(seed);
  const text = mutate(randomJson(random), random);
  const error = checkJson(text);
  if (error) {
    const hasPlace = error instanceof JsonError && error.offset >= 0 && error.offset <= text.length;
    return isJson(text) ? `refused: ${error.message}` : hasPlace ? undefined : `no place: ${error.message}`;
  }
  if (!isJson(text)) {
    return "taken, and the browser refuses it";
  }
  const laid = formatJson(text);
  const bare = withoutBlanks(text);
  return withoutBlanks(laid) === bare && formatJson(laid) === laid && formatJson(text, { indent: 0 }) === bare
    ? undefined
    : "laid out it is another text";
}

/** A mutated document for the server; undefined if no bytes of UTF-8 are it. */
export function mutatedDocument(seed: number): string | undefined {
  const random = new Random(seed);
  const text = mutate(`{"Value":${randomJson(random)},"Other":${randomJson(random)}}`, random);
  return /^(?:[^\ud800-\udfff]|[\ud800-\udbff][\udc00-\udfff])*$/.test(text) ? text : undefined;
}

/** What is wrong with the server's reading of a text beside ours. @param read Null if the server refused it. */
export function compareWithServer(text: string, read: string | null): string | undefined {
  try {
    const node = parseDocument(text);
    if (read === null) {
      return "taken, and the server refuses it";
    }
    return isSame(node, parseJson(read)) ? undefined : `the server reads it as ${read}`;
  } catch (error) {
    return read === null ? undefined : `refused (${error}), and the server takes it as ${read}`;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
