namespace Raven.Documents.Schemas;

/// <summary>What of a document breaks its schema.</summary>
/// <param name="Path">The value, such as <c>Lines[2].Price</c>; empty for the document.</param>
/// <param name="Keyword">The keyword that it breaks.</param>
/// <param name="Place">Where the keyword is in the schema, such as <c>#/properties/Lines/items</c>.</param>
/// <param name="Reason">A sentence about the value.</param>
public sealed record SchemaViolation(string Path, string Keyword, string Place, string Reason)
{
    /// <summary>A sentence for the client.</summary>
    public string Describe() => $"{(Path.Length == 0 ? "the document" : Path)} {Reason} ({Keyword} of {Place}).";
}
