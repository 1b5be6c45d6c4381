/** A request as it can be written down. */
export interface WrittenRequest {
  readonly method: string;
  /** The URL with its origin. */
  readonly url: string;
  readonly body?: string | undefined;
}

/** A text as one word of a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The request as a call of curl. */
export function asCurl(request: WrittenRequest): string {
  const body = request.body === undefined ? "" : ` \\\n    -d ${shellQuote(request.body)}`;
  const method = request.method === "GET" ? "" : `-X ${request.method} `;
  return `curl ${method}${shellQuote(request.url)}${body}`;
}

/** A query as C# with the .NET client. */
export function queryAsCSharp(query: string, parameters: Readonly<Record<string, string>>): string {
  const quotes = '"'.repeat(Math.max(3, longestRun(query, '"') + 1));
  const lines = query.split("\n").map((line) => `    ${line}`);
  const added = Object.entries(parameters).map(
    ([name, json]) => `\n    .AddParameter(${JSON.stringify(name)}, ${csharpValue(json)})`,
  );
  return [
    "using IAsyncDocumentSession session = store.OpenAsyncSession();",
    `List<dynamic> results = await session.Advanced.AsyncRawQuery<dynamic>(${quotes}`,
    ...lines,
    `    ${quotes})${added.join("")}`,
    "    .ToListAsync();",
  ].join("\n");
}

/** A query as JavaScript with the Node client. */
export function queryAsNode(query: string, parameters: Readonly<Record<string, string>>): string {
  const text = query.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${");
  const added = Object.entries(parameters).map(
    ([name, json]) => `\n    .addParameter(${JSON.stringify(name)}, ${json})`,
  );
  return `const session = store.openSession();\nconst results = await session.advanced.rawQuery(\`${text}\`)${added.join("")}\n    .all();`;
}

function longestRun(text: string, one: string): number {
  let longest = 0;
  let run = 0;
  for (const character of text) {
    run = character === one ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** Scalars of JSON are C# as they stand; a list or an object is read at run time. */
function csharpValue(json: string): string {
  if (/^[[{]/.test(json)) {
    return `JsonSerializer.Deserialize<object>(${JSON.stringify(json)})`;
  }
  return json;
}
