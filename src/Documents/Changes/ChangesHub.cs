using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Raven.Blittable.Json;
using Raven.Blittable.Text;
using Raven.Documents.Ids;
using Raven.Documents.Rows.Series;

namespace Raven.Documents.Changes;

//   HUB-1  A watch that was added gets every change that is committed after that: it is in the tables before its
//          confirmation is on the way.
//   HUB-2  A commit copies its changes into a queue and goes on. Matching and formatting happen on a thread of the
//          pool, one at a time, so that events keep the order of the commits.
//   HUB-3  If no connection watches documents, counters or time series, a commit copies nothing.
//   HUB-4  A connection that may have missed an event is ended, so that the client reads again.

/// <summary>
/// The watches of one database, and the one place that turns a change into events for them. Any thread.
/// </summary>
public sealed class ChangesHub : IDocumentChangeListener, IThreadPoolWorkItem
{
    private const int QueueSizeBytesMax = 64 << 20;
    private const string DeletedReason = "The database is deleted.";

    private readonly Lock _gate = new();
    private readonly Lock _queueGate = new();
    private readonly DocumentChanges _changes;
    private readonly Action<Exception> _failed;
    private readonly HashSet<ChangeSink> _sinks = [];
    private readonly Dictionary<ChangeWatch, List<ChangeSink>> _watchers = [];
    private readonly List<ChangeWatch> _prefixes = [];
    private readonly ArrayBufferWriter<byte> _json = new(512);
    private ChangeQueue _queue = new();
    private ChangeQueue _telling = new();
    private bool _isQueueFull;
    private bool _isNotifying;
    private long _lastEvent;
    private int _storedWatches;

    /// <summary>A hub without connections.</summary>
    /// <param name="changes">The changes of its database.</param>
    /// <param name="failed">Called with the exception if the sending of events failed.</param>
    internal ChangesHub(DocumentChanges changes, Action<Exception> failed)
    {
        _changes = changes;
        _failed = failed;
    }

    private static ReadOnlySpan<byte> AggressiveCacheEvent => "{\"Type\":\"AggressiveCacheChange\"}"u8;

    /// <summary>How many connections there are.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
            {
                return _sinks.Count;
            }
        }
    }

    /// <summary>Adds a connection.</summary>
    public void Add(ChangeSink sink)
    {
        lock (_gate)
        {
            if (_sinks.Add(sink) && _sinks.Count == 1)
            {
                _changes.Add(this);
            }

            if (_changes.IsDeleted)
            {
                // The deletion may have been reported before the connection was added.
                sink.End(DeletedReason);
            }
        }
    }

    /// <summary>Removes a connection with all of its watches.</summary>
    public void Remove(ChangeSink sink)
    {
        lock (_gate)
        {
            foreach (ChangeWatch watch in sink.Watches)
            {
                Drop(watch, sink);
            }

            sink.Watches.Clear();
            if (_sinks.Remove(sink) && _sinks.Count == 0)
            {
                _changes.Remove(this);
            }
        }
    }

    /// <summary>Adds a watch to a connection.</summary>
    public void Watch(ChangeSink sink, ChangeWatch watch)
    {
        lock (_gate)
        {
            if (!sink.Watches.Add(watch))
            {
                return;
            }

            ref List<ChangeSink>? watchers =
                ref CollectionsMarshal.GetValueRefOrAddDefault(_watchers, watch, out bool exists);
            watchers ??= [];
            watchers.Add(sink);
            if (!exists && watch.Kind == ChangeWatchKind.Prefix)
            {
                _prefixes.Add(watch);
            }

            Volatile.Write(ref _storedWatches, _storedWatches + (IsOfStored(watch.Kind) ? 1 : 0));
        }
    }

    /// <summary>Removes a watch from a connection.</summary>
    public void Unwatch(ChangeSink sink, ChangeWatch watch)
    {
        lock (_gate)
        {
            if (sink.Watches.Remove(watch))
            {
                Drop(watch, sink);
            }
        }
    }

    /// <summary>The watches of all connections, for diagnostics.</summary>
    public List<(ChangeSink Sink, ChangeWatch[] Watches)> List()
    {
        lock (_gate)
        {
            return [.. _sinks.Select(sink => (sink, sink.Watches.ToArray()))];
        }
    }

    /// <summary>Sends an event about something that is not stored: the state of an operation, an index.</summary>
    /// <param name="json">The event.</param>
    /// <param name="all">The watch for all of its kind.</param>
    /// <param name="one">The watch for this one.</param>
    public void Notify(ReadOnlySpan<byte> json, ChangeWatch all, ChangeWatch one)
    {
        lock (_gate)
        {
            if (_sinks.Count > 0)
            {
                _lastEvent++;
                Offer(all, json);
                Offer(one, json);
            }
        }
    }

    /// <inheritdoc/>
    void IDocumentChangeListener.OnChange(in DocumentChange change)
    {
        if (Volatile.Read(ref _storedWatches) == 0)
        {
            return;
        }

        lock (_queueGate)
        {
            if (HasRoom())
            {
                _queue.Add(in change);
            }
        }
    }

    /// <inheritdoc/>
    void IDocumentChangeListener.OnChange(in CounterChange change)
    {
        if (Volatile.Read(ref _storedWatches) == 0)
        {
            return;
        }

        lock (_queueGate)
        {
            if (HasRoom())
            {
                _queue.Add(in change);
            }
        }
    }

    /// <inheritdoc/>
    void IDocumentChangeListener.OnChange(in TimeSeriesChange change)
    {
        if (Volatile.Read(ref _storedWatches) == 0)
        {
            return;
        }

        lock (_queueGate)
        {
            if (HasRoom())
            {
                _queue.Add(in change);
            }
        }
    }

    /// <inheritdoc/>
    void IDocumentChangeListener.OnCommitted(long lastEtag)
    {
        lock (_queueGate)
        {
            if (_queue.Length == 0 || _isNotifying)
            {
                return;
            }

            _isNotifying = true;
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <inheritdoc/>
    void IDocumentChangeListener.OnDeleted() => EndAll(DeletedReason);

    /// <inheritdoc/>
    void IThreadPoolWorkItem.Execute()
    {
        while (TryTakeQueue(out bool isFull))
        {
            try
            {
                if (isFull)
                {
                    EndAll("More changes were committed than could be sent: read again what is watched.");
                }

                lock (_gate)
                {
                    NotifyAll();
                }
            }
#pragma warning disable CA1031 // An exception that left this thread would end the process.
            catch (Exception e)
#pragma warning restore CA1031
            {
                _failed(e);
                EndAll("The server failed to tell of changes: read again what is watched.");
            }
        }
    }

    /// <summary>The key of what belongs to a document and has a name.</summary>
    public static string Pair(string document, string name) => $"{document}\u001e{name}";

    private static bool IsOfStored(ChangeWatchKind kind) =>
        kind is <= ChangeWatchKind.Collection or (>= ChangeWatchKind.AllCounters
            and <= ChangeWatchKind.OneTimeSeriesOfDocument) or ChangeWatchKind.AggressiveCache;

    private bool HasRoom()
    {
        _isQueueFull |= _queue.Length > QueueSizeBytesMax;
        return !_isQueueFull;
    }

    private bool TryTakeQueue(out bool isFull)
    {
        lock (_queueGate)
        {
            _telling.Clear();
            isFull = _isQueueFull;
            _isQueueFull = false;
            if (_queue.Length == 0)
            {
                _isNotifying = false;
                return false;
            }

            (_queue, _telling) = (_telling, _queue);
            return true;
        }
    }

    /// <summary>Sends the events of all that was taken from the queue. Under the lock.</summary>
    private void NotifyAll()
    {
        Span<(int Start, int Length)> texts = stackalloc (int, int)[ChangeQueue.TextsMax];
        for (int position = 0; position < _telling.Length;)
        {
            _telling.Read(ref position, out byte kind, out long value, texts);
            _json.ResetWrittenCount();
            _lastEvent++;
            if (kind == ChangeQueue.DocumentKind)
            {
                NotifyDocument((DocumentChangeType)value, texts);
            }
            else if (kind == ChangeQueue.CounterKind)
            {
                NotifyCounter(value, texts);
            }
            else
            {
                NotifyTimeSeries(value, texts);
            }
        }

        _lastEvent++;
        Offer(new ChangeWatch(ChangeWatchKind.AggressiveCache, ""), AggressiveCacheEvent);
    }

    private void NotifyDocument(DocumentChangeType type, ReadOnlySpan<(int Start, int Length)> texts)
    {
        ReadOnlySpan<byte> id = _telling.Text(texts[0]);
        ReadOnlySpan<byte> collection = _telling.Text(texts[1]);
        var json = new JsonOutput(_json);
        json.StartObject();
        json.Name("Type"u8);
        json.String("DocumentChange"u8);
        json.Name("Value"u8);
        json.StartObject();
        json.Name("Type"u8);
        json.String(type == DocumentChangeType.Put ? "Put"u8 : "Delete"u8);
        json.Name("Id"u8);
        json.String(id);
        json.Name("CollectionName"u8);
        json.String(collection);
        json.Name("ChangeVector"u8);
        json.String(_telling.Text(texts[2]));
        json.EndObject();
        json.EndObject();
        json.Flush();

        string key = DocumentId.FoldedText(id);
        Offer(new ChangeWatch(ChangeWatchKind.AllDocuments, ""), _json.WrittenSpan);
        Offer(new ChangeWatch(ChangeWatchKind.Document, key), _json.WrittenSpan);
        Offer(new ChangeWatch(ChangeWatchKind.Collection, DocumentId.FoldedText(collection)), _json.WrittenSpan);
        foreach (ChangeWatch prefix in _prefixes)
        {
            if (key.StartsWith(prefix.Key, StringComparison.Ordinal))
            {
                Offer(prefix, _json.WrittenSpan);
            }
        }
    }

    private void NotifyCounter(long value, ReadOnlySpan<(int Start, int Length)> texts)
    {
        ReadOnlySpan<byte> id = _telling.Text(texts[0]);
        ReadOnlySpan<byte> name = _telling.Text(texts[3]);
        var json = new JsonOutput(_json);
        json.StartObject();
        json.Name("Type"u8);
        json.String("CounterChange"u8);
        json.Name("Value"u8);
        json.StartObject();
        json.Name("Type"u8);
        json.String(_telling.Text(texts[4]));
        json.Name("Name"u8);
        json.String(name);
        json.Name("Value"u8);
        json.Number(value);
        json.Name("DocumentId"u8);
        json.String(id);
        json.Name("CollectionName"u8);
        json.String(_telling.Text(texts[1]));
        json.Name("ChangeVector"u8);
        json.String(_telling.Text(texts[2]));
        json.EndObject();
        json.EndObject();
        json.Flush();

        string document = DocumentId.FoldedText(id);
        string counter = DocumentId.FoldedText(name);
        Offer(new ChangeWatch(ChangeWatchKind.AllCounters, ""), _json.WrittenSpan);
        Offer(new ChangeWatch(ChangeWatchKind.Counter, counter), _json.WrittenSpan);
        Offer(new ChangeWatch(ChangeWatchKind.CountersOfDocument, document), _json.WrittenSpan);
        Offer(new ChangeWatch(ChangeWatchKind.CounterOfDocument, Pair(document, counter)), _json.WrittenSpan);
    }

    private void NotifyTimeSeries(long from, ReadOnlySpan<(int Start, int Length)> texts)
    {
        ReadOnlySpan<byte> id = _telling.Text(texts[0]);
        ReadOnlySpan<byte> name = _telling.Text(texts[3]);
        long to = BinaryPrimitives.ReadInt64LittleEndian(_telling.Text(texts[5]));
        var json = new JsonOutput(_json);
        json.StartObject();
        json.Name("Type"u8);
        json.String("TimeSeriesChange"u8);
        json.Name("Value"u8);
        json.StartObject();
        json.Name("Type"u8);
        json.String(_telling.Text(texts[4]));
        json.Name("Name"u8);
        json.String(name);
        json.Name("DocumentId"u8);
        json.String(id);
        json.Name("CollectionName"u8);
        json.String(_telling.Text(texts[1]));
        json.Name("ChangeVector"u8);
        json.String(_telling.Text(texts[2]));
        Span<byte> date = stackalloc byte[DateText.Length];
        json.Name("From"u8);
        DateText.TryFormat(SeriesTime.ToTicks(from), date);
        json.String(date);
        json.Name("To"u8);
        DateText.TryFormat(SeriesTime.ToTicks(Math.Min(to, SeriesTime.Max)), date);
        json.String(date);
        json.EndObject();
        json.EndObject();
        json.Flush();

        string document = DocumentId.FoldedText(id);
        string series = DocumentId.FoldedText(name);
        Offer(new ChangeWatch(ChangeWatchKind.AllTimeSeries, ""), _json.WrittenSpan);
        Offer(new ChangeWatch(ChangeWatchKind.TimeSeries, series), _json.WrittenSpan);
        Offer(new ChangeWatch(ChangeWatchKind.TimeSeriesOfDocument, document), _json.WrittenSpan);
        Offer(new ChangeWatch(ChangeWatchKind.OneTimeSeriesOfDocument, Pair(document, series)), _json.WrittenSpan);
    }

    private void Offer(ChangeWatch watch, ReadOnlySpan<byte> json)
    {
        if (_watchers.TryGetValue(watch, out List<ChangeSink>? watchers))
        {
            foreach (ChangeSink sink in watchers)
            {
                if (sink.LastEvent != _lastEvent)
                {
                    sink.LastEvent = _lastEvent;
                    sink.Offer(json);
                }
            }
        }
    }

    private void Drop(ChangeWatch watch, ChangeSink sink)
    {
        List<ChangeSink> watchers = _watchers[watch];
        watchers.Remove(sink);
        if (watchers.Count == 0)
        {
            _watchers.Remove(watch);
            if (watch.Kind == ChangeWatchKind.Prefix)
            {
                _prefixes.Remove(watch);
            }
        }

        Volatile.Write(ref _storedWatches, _storedWatches - (IsOfStored(watch.Kind) ? 1 : 0));
    }

    /// <summary>Ends all connections, which may have missed an event (HUB-4).</summary>
    internal void EndAll(string reason)
    {
        lock (_gate)
        {
            foreach (ChangeSink sink in _sinks)
            {
                sink.End(reason);
            }
        }
    }
}
