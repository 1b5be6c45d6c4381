namespace Raven.Documents;

/// <summary>Walks documents of a snapshot, in an order that each cursor defines.</summary>
public interface IDocumentCursor
{
    /// <summary>Gives the next document; false at the end.</summary>
    bool MoveNext(out StoredDocument document);
}
