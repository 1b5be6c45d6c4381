// src/api/copyAs.ts
/** A text as one word of a POSIX shell. */
function shellQuote(text) {
	return `'${text.replaceAll("'", "'\\''")}'`;
}
/** The request as a call of curl. */
function asCurl(request) {
	const body = request.body === void 0 ? "" : ` \\\n    -d ${shellQuote(request.body)}`;
	return `curl ${request.method === "GET" ? "" : `-X ${request.method} `}${shellQuote(request.url)}${body}`;
}
/** A query as C# with the .NET client. */
function queryAsCSharp(query, parameters) {
	const quotes = "\"".repeat(Math.max(3, longestRun(query, "\"") + 1));
	const lines = query.split("\n").map((line) => `    ${line}`);
	const added = Object.entries(parameters).map(([name, json]) => `\n    .AddParameter(${JSON.stringify(name)}, ${csharpValue(json)})`);
	return [
		"using IAsyncDocumentSession session = store.OpenAsyncSession();",
		`List<dynamic> results = await session.Advanced.AsyncRawQuery<dynamic>(${quotes}`,
		...lines,
		`    ${quotes})${added.join("")}`,
		"    .ToListAsync();"
	].join("\n");
}
/** A query as JavaScript with the Node client. */
function queryAsNode(query, parameters) {
	return `const session = store.openSession();\nconst results = await session.advanced.rawQuery(\`${query.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${")}\`)${Object.entries(parameters).map(([name, json]) => `\n    .addParameter(${JSON.stringify(name)}, ${json})`).join("")}\n    .all();`;
}
function longestRun(text, one) {
	let longest = 0;
	let run = 0;
	for (const character of text) {
		run = character === one ? run + 1 : 0;
		longest = Math.max(longest, run);
	}
	return longest;
}
/** Scalars of JSON are C# as they stand; a list or an object is read at run time. */
function csharpValue(json) {
	if (/^[[{]/.test(json)) return `JsonSerializer.Deserialize<object>(${JSON.stringify(json)})`;
	return json;
}

export { asCurl, queryAsCSharp, queryAsNode, shellQuote };