using System.Text;

namespace Raven.Documents.Queries.Series;

/// <summary>The tags of entries as texts, and the documents that they name. One row.</summary>
internal sealed class SeriesTags(SeriesScope scope)
{
    private const int KeptMax = 1024;

    private readonly Dictionary<string, StoredDocument?> _documents = new(StringComparer.Ordinal);
    private byte[] _last = [];
    private string? _lastText;

    /// <summary>A tag as text; null for none.</summary>
    internal string? TextOf(ReadOnlySpan<byte> tag)
    {
        if (tag.IsEmpty)
        {
            return null;
        }

        if (!tag.SequenceEqual(_last))
        {
            _last = tag.ToArray();
            _lastText = Encoding.UTF8.GetString(tag);
        }

        return _lastText;
    }

    /// <summary>The value of a field of the document that a tag names; null without one.</summary>
    internal object? FieldOf(string? tag, string path)
    {
        if (tag is null)
        {
            return null;
        }

        if (!_documents.TryGetValue(tag, out StoredDocument? document))
        {
            bool isThere = scope.Session.Snapshot.TryGet(Encoding.UTF8.GetBytes(tag), out StoredDocument found);
            document = isThere ? found : null;
            if (_documents.Count >= KeptMax)
            {
                _documents.Clear();
            }

            _documents[tag] = document;
        }

        return document is { } there ? scope.FieldOf(there, path) : null;
    }
}
