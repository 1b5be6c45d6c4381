namespace Raven.Documents.Indexing.Compilation;

/// <summary>Which C# the server compiles for clients.</summary>
public enum CSharpUse
{
    /// <summary>Nothing: maps are written in JavaScript.</summary>
    None,

    /// <summary>Maps and reduces, which can read their document and nothing else.</summary>
    Maps,

    /// <summary>Additional sources, too: any C#, which can do whatever the server can.</summary>
    All,
}
