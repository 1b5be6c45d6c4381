using System.Buffers;
using System.Text;

namespace Raven.Documents.Subscriptions;

/// <summary>
/// The documents that a worker gets at once, as JSON, with what is sent along. It belongs to its worker and is used
/// again for the next one. One thread at a time.
/// </summary>
public sealed class SubscriptionBatch
{
    private const int KeptBytesMax = 64 * 1024;

    private ArrayBufferWriter<byte> _data = new();
    private ArrayBufferWriter<byte> _names = new();
    private ArrayBufferWriter<byte> _includes = new();
    private ArrayBufferWriter<byte> _counters = new();
    private ArrayBufferWriter<byte> _counterNames = new();
    private ArrayBufferWriter<byte> _series = new();

    /// <summary>How many documents it has.</summary>
    public int Count => Items.Count;

    /// <summary>How many bytes of JSON they have.</summary>
    public int SizeBytes => _data.WrittenCount + _series.WrittenCount;

    /// <summary>Its number, if the documents are shared; 0 otherwise.</summary>
    public long Number { get; internal set; }

    /// <summary>The version that was sent last.</summary>
    public string LastChangeVector => Items.Count == 0 ? "" : ChangeVectorOf(Items.Count - 1);

    /// <summary>Whether documents are sent along.</summary>
    public bool HasIncludes => _includes.WrittenCount > 0;

    /// <summary>The members of an object of documents by their ids, JSON without its braces.</summary>
    public ReadOnlySpan<byte> Includes => _includes.WrittenSpan;

    /// <summary>Whether counters are sent along.</summary>
    public bool HasCounters => _counters.WrittenCount > 0;

    /// <summary>The members of an object of counters by the ids of their documents, JSON without its braces.</summary>
    public ReadOnlySpan<byte> Counters => _counters.WrittenSpan;

    /// <summary>The members of an object of the names that were asked for, by the ids of the documents.</summary>
    public ReadOnlySpan<byte> CounterNames => _counterNames.WrittenSpan;

    /// <summary>Whether time series are sent along.</summary>
    public bool HasTimeSeries => _series.WrittenCount > 0;

    /// <summary>The members of an object of time series by the ids of their documents, JSON without its braces.
    /// </summary>
    public ReadOnlySpan<byte> TimeSeries => _series.WrittenSpan;

    internal List<SubscriptionItem> Items { get; } = [];

    internal ArrayBufferWriter<byte> DataBuffer => _data;

    internal ArrayBufferWriter<byte> NamesBuffer => _names;

    internal ArrayBufferWriter<byte> IncludesBuffer => _includes;

    internal ArrayBufferWriter<byte> CountersBuffer => _counters;

    internal ArrayBufferWriter<byte> CounterNamesBuffer => _counterNames;

    internal ArrayBufferWriter<byte> SeriesBuffer => _series;

    /// <summary>The folded ids of the documents that are sent along.</summary>
    internal HashSet<string> Included { get; } = new(StringComparer.Ordinal);

    /// <summary>The documents that are owed from the sending on, by their folded ids.</summary>
    internal Dictionary<string, OwedDocument> Sent { get; } = new(StringComparer.Ordinal);

    /// <summary>What is not owed any more, by folded ids.</summary>
    internal List<byte[]> Dropped { get; } = [];

    /// <summary>Whether the documents that are owed were looked at.</summary>
    internal bool HasOwed { get; set; }

    /// <summary>Whether it gets no more documents: one that fails again and again is sent alone.</summary>
    internal bool IsClosed { get; set; }

    /// <summary>The change up to which the documents were looked at.</summary>
    internal long EndEtag { get; set; }

    /// <summary>The JSON of a document.</summary>
    public ReadOnlySpan<byte> DataOf(int index) => _data.WrittenSpan.Slice(Items[index].Start, Items[index].Length);

    /// <summary>The id of a document.</summary>
    public string IdOf(int index) =>
        Encoding.UTF8.GetString(_names.WrittenSpan.Slice(Items[index].NameStart, Items[index].IdLength));

    /// <summary>The version of a document.</summary>
    public string ChangeVectorOf(int index) => Encoding.UTF8.GetString(VersionOf(index));

    /// <summary>Why the script failed at a document; null if it did not.</summary>
    public string? ErrorOf(int index) => Items[index].Error;

    /// <summary>The version of a document, UTF-8.</summary>
    internal ReadOnlySpan<byte> VersionOf(int index) => _names.WrittenSpan.Slice(
        Items[index].NameStart + Items[index].IdLength, Items[index].VersionLength);

    internal void Clear()
    {
        Items.Clear();
        Included.Clear();
        Sent.Clear();
        Dropped.Clear();
        HasOwed = false;
        IsClosed = false;
        Number = 0;
        _data.ResetWrittenCount();
        _names.ResetWrittenCount();
        _includes.ResetWrittenCount();
        _counters.ResetWrittenCount();
        _counterNames.ResetWrittenCount();
        _series.ResetWrittenCount();
    }

    /// <summary>
    /// Clears it, and gives back the memory of large batches: for one that may wait long for its next document.
    /// </summary>
    internal void ClearForLong()
    {
        Clear();
        Trim(ref _data);
        Trim(ref _names);
        Trim(ref _includes);
        Trim(ref _counters);
        Trim(ref _counterNames);
        Trim(ref _series);
    }

    private static void Trim(ref ArrayBufferWriter<byte> buffer)
    {
        if (buffer.Capacity > KeptBytesMax)
        {
            buffer = new ArrayBufferWriter<byte>();
        }
    }
}
