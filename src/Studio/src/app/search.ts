/** The state of a page that its URL holds: texts by name. Nothing is read as a number: an id of digits stays one. */
export type Search = Readonly<Record<string, string>>;

/** Reads the part of a URL behind its question mark. */
export function parseSearch(text: string): Search {
  const search: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    search[name] = value;
  }
  return search;
}

/** Writes it; what is empty or undefined is left out. */
export function writeSearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== "") {
      parameters.append(name, String(value));
    }
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}
