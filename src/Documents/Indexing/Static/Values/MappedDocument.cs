using System.Text;

namespace Raven.Documents.Indexing.Static.Values;

/// <summary>What a map may read of a document besides its content. One object is reused for all documents.</summary>
internal sealed class MappedDocument
{
    private StoredDocument _document;
    private string? _id;

    /// <summary>When the document was last written, in ticks of 100 ns, UTC.</summary>
    public long LastModifiedTicks => _document.LastModifiedTicks;

    /// <summary>The id.</summary>
    public string Id => _id ??= Encoding.UTF8.GetString(_document.Id.Span);

    /// <summary>The change vector.</summary>
    public string ChangeVector => Encoding.UTF8.GetString(_document.ChangeVector.Span);

    /// <summary>The document itself.</summary>
    internal StoredDocument Stored => _document;

    /// <summary>Takes a document.</summary>
    /// <returns>The document as a value, valid as long as its snapshot and until the next call.</returns>
    internal DynamicValue Open(in StoredDocument document)
    {
        _document = document;
        _id = null;
        return DynamicValue.Of(document.Data, this);
    }
}
