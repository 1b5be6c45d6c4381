using System.Text;

namespace Raven.Documents.Commands;

/// <summary>The large documents that were written last. Any thread.</summary>
internal sealed class LargeDocuments
{
    /// <summary>From which size on a document is large, in the bytes that it is stored in.</summary>
    internal const int SizeBytesMin = 5 << 20;

    /// <summary>How many are kept.</summary>
    internal const int CountMax = 100;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, LargeDocument> _byId = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Notes a document if it is large.</summary>
    internal void Note(ReadOnlySpan<byte> id, long sizeBytes, long nowTicks)
    {
        if (sizeBytes >= SizeBytesMin)
        {
            Keep(id, sizeBytes, new DateTimeOffset(nowTicks, TimeSpan.Zero));
        }
    }

    /// <summary>Keeps it in the place of an earlier version, or of the one that was written longest ago.</summary>
    private void Keep(ReadOnlySpan<byte> id, long sizeBytes, DateTimeOffset now)
    {
        string text = Encoding.UTF8.GetString(id);
        lock (_gate)
        {
            if (_byId.Count >= CountMax && !_byId.ContainsKey(text))
            {
                _byId.Remove(_byId.Values.MinBy(one => one.At)!.Id);
            }

            _byId[text] = new LargeDocument(text, sizeBytes, now);
        }
    }

    /// <summary>All of them, the largest first.</summary>
    internal LargeDocument[] List()
    {
        lock (_gate)
        {
            return [.. _byId.Values.OrderByDescending(one => one.SizeBytes)];
        }
    }
}
