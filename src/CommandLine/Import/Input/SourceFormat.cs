namespace Raven.CommandLine.Import.Input;

/// <summary>How the bytes of a source file are to be read.</summary>
internal enum SourceFormat
{
    /// <summary>
    /// By the file's name: <c>.ndjson</c>, <c>.jsonl</c>, <c>.csv</c>, <c>.ravendbdump</c>; all else is Json.
    /// </summary>
    Auto,

    /// <summary>An array of objects, or objects behind each other.</summary>
    Json,

    /// <summary>One object a line.</summary>
    Lines,

    /// <summary>Comma-separated values with a header.</summary>
    Csv,

    /// <summary>An export of a RavenDB database: an object with the documents in <c>Docs</c>.</summary>
    RavenDbDump,
}
