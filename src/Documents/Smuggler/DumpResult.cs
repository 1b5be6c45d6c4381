using System.Text.Json;
using Raven.Documents.Operations;

namespace Raven.Documents.Smuggler;

/// <summary>
/// How far an export or import is, and in the end what it has done: the progress and the result of its operation. Its
/// worker counts, any thread reads.
/// </summary>
public sealed class DumpResult : IOperationDetail
{
    private const int MessagesMax = 200;

    private readonly Lock _lock = new();
    private readonly List<string> _messages = [];
    private readonly SortedDictionary<string, long> _unknown = new(StringComparer.Ordinal);
    private long _unsaid;
    private long _lastEtag;

    /// <summary>The record of the database.</summary>
    public DumpCounts DatabaseRecord { get; } = new();

    /// <summary>Its documents.</summary>
    public DumpCounts Documents { get; } = new();

    /// <summary>Attachments of documents and revisions, each as often as it is linked.</summary>
    public DumpCounts Attachments { get; } = new();

    /// <summary>Revisions of documents.</summary>
    public DumpCounts Revisions { get; } = new();

    /// <summary>Deletions.</summary>
    public DumpCounts Tombstones { get; } = new();

    /// <summary>Counters.</summary>
    public DumpCounts Counters { get; } = new();

    /// <summary>Definitions of indexes.</summary>
    public DumpCounts Indexes { get; } = new();

    /// <summary>Identities.</summary>
    public DumpCounts Identities { get; } = new();

    /// <summary>Compare-exchange values.</summary>
    public DumpCounts CompareExchange { get; } = new();

    /// <summary>Removals of compare-exchange values.</summary>
    public DumpCounts CompareExchangeTombstones { get; } = new();

    /// <summary>Definitions of subscriptions.</summary>
    public DumpCounts Subscriptions { get; } = new();

    /// <summary>Parts of time series, some thousand entries each.</summary>
    public DumpCounts TimeSeries { get; } = new();

    /// <summary>What was left out or could not be taken, the first of it; the last one says how many more there were.
    /// </summary>
    public IReadOnlyList<string> Messages
    {
        get
        {
            lock (_lock)
            {
                return _unsaid == 0 ? [.. _messages] : [.. _messages, $"{_unsaid} more."];
            }
        }
    }

    /// <summary>The items of sections that this server has no feature for, by the name of the section.</summary>
    public IReadOnlyDictionary<string, long> Unknown
    {
        get
        {
            lock (_lock)
            {
                return new SortedDictionary<string, long>(_unknown, StringComparer.Ordinal);
            }
        }
    }

    /// <summary>The last change that an export has seen.</summary>
    public long LastEtag
    {
        get => Volatile.Read(ref _lastEtag);
        internal set => Volatile.Write(ref _lastEtag, value);
    }

    /// <summary>All that was taken so far.</summary>
    public long Processed => Documents.Read + Revisions.Read + Tombstones.Read + Counters.Read + Indexes.Read
        + Identities.Read + CompareExchange.Read + CompareExchangeTombstones.Read + Subscriptions.Read
        + TimeSeries.Read;

    /// <summary>Adds a message about something that was left out.</summary>
    public void Say(string message)
    {
        lock (_lock)
        {
            if (_messages.Count < MessagesMax)
            {
                _messages.Add(message);
            }
            else
            {
                _unsaid++;
            }
        }
    }

    /// <inheritdoc/>
    public void Write(Utf8JsonWriter json)
    {
        ArgumentNullException.ThrowIfNull(json);
        Write(json, "DatabaseRecord", DatabaseRecord);
        json.WriteStartObject("Documents"u8);
        Documents.Write(json);
        json.WriteNumber("LastEtag"u8, LastEtag);
        Write(json, "Attachments", Attachments);
        json.WriteEndObject();
        Write(json, "RevisionDocuments", Revisions);
        Write(json, "Tombstones", Tombstones);
        Write(json, "Counters", Counters);
        Write(json, "Indexes", Indexes);
        Write(json, "Identities", Identities);
        Write(json, "CompareExchange", CompareExchange);
        Write(json, "CompareExchangeTombstones", CompareExchangeTombstones);
        Write(json, "Subscriptions", Subscriptions);
        Write(json, "TimeSeries", TimeSeries);
        json.WriteStartObject("Skipped"u8);
        foreach ((string section, long count) in Unknown)
        {
            json.WriteNumber(section, count);
        }

        json.WriteEndObject();
        json.WriteStartArray("Messages"u8);
        foreach (string message in Messages)
        {
            json.WriteStringValue(message);
        }

        json.WriteEndArray();
    }

    /// <summary>One more thing could not be taken.</summary>
    internal void Fail(DumpCounts counts, string message)
    {
        counts.Errored++;
        Say(message);
    }

    /// <summary>Counts the items of a section that is not known.</summary>
    internal void CountUnknown(string section, long count)
    {
        const int sectionsMax = 100;
        lock (_lock)
        {
            if (_unknown.Count < sectionsMax || _unknown.ContainsKey(section))
            {
                _unknown[section] = _unknown.GetValueOrDefault(section) + count;
            }
        }
    }

    private static void Write(Utf8JsonWriter json, string name, DumpCounts counts)
    {
        json.WriteStartObject(name);
        counts.Write(json);
        json.WriteEndObject();
    }
}
