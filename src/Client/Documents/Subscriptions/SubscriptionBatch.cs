using System.Text.Json;
using Raven.Client.Documents.Session;
using Raven.Client.Json;

namespace Raven.Client.Documents.Subscriptions;

/// <summary>The documents that a worker gets at once. It ends when its handler returns.</summary>
/// <typeparam name="T">The type of the documents.</typeparam>
public sealed class SubscriptionBatch<T> where T : class
{
    private readonly DocumentStore _store;
    private readonly string _database;
    private readonly List<SubscriptionItem<T>> _items;
    private readonly List<ReadOnlyMemory<byte>> _includes;
    private readonly List<ReadOnlyMemory<byte>> _counters;
    private readonly List<ReadOnlyMemory<byte>> _series;
    private bool _isOpened;

    internal SubscriptionBatch(
        DocumentStore store, string database, List<SubscriptionItem<T>> items, List<ReadOnlyMemory<byte>> includes,
        List<ReadOnlyMemory<byte>> counters, List<ReadOnlyMemory<byte>> series)
    {
        _store = store;
        _database = database;
        _items = items;
        _includes = includes;
        _counters = counters;
        _series = series;
    }

    /// <summary>The documents, in the order of their changes.</summary>
    public IReadOnlyList<SubscriptionItem<T>> Items => _items;

    /// <summary>Opens a session that knows the documents and what was sent along: it loads none of them again, and
    /// saves what is changed of them.</summary>
    /// <exception cref="InvalidOperationException">A session was opened already.</exception>
    public IAsyncDocumentSession OpenAsyncSession() => Fill(
        (AsyncDocumentSession)_store.OpenAsyncSession(OptionsOf(null)));

    /// <summary>The same with options.</summary>
    /// <exception cref="InvalidOperationException">A session was opened already, or the options name a database.
    /// </exception>
    public IAsyncDocumentSession OpenAsyncSession(SessionOptions options) => Fill(
        (AsyncDocumentSession)_store.OpenAsyncSession(OptionsOf(options)));

    /// <summary>Opens a session whose calls block; see <see cref="OpenAsyncSession()"/>.</summary>
    /// <exception cref="InvalidOperationException">A session was opened already.</exception>
    public IDocumentSession OpenSession() => Fill((DocumentSession)_store.OpenSession(OptionsOf(null)));

    private SessionOptions OptionsOf(SessionOptions? options)
    {
        if (_isOpened)
        {
            throw new InvalidOperationException("A batch opens one session: its documents belong to that one.");
        }

        if (options is { Database: not null } or { RequestExecutor: not null })
        {
            throw new InvalidOperationException("The session of a batch is one of the batch's own database.");
        }

        _isOpened = true;
        return new SessionOptions
        {
            Database = _database,
            NoTracking = options?.NoTracking ?? false,
            NoCaching = options?.NoCaching ?? false,
            TransactionMode = options?.TransactionMode ?? TransactionMode.SingleNode,
        };
    }

    private TSession Fill<TSession>(TSession session) where TSession : SessionCore
    {
        foreach (ReadOnlyMemory<byte> includes in _includes)
        {
            foreach (JsonProperty include in JsonFormats.Parse(includes).EnumerateObject())
            {
                if (include.Value.ValueKind == JsonValueKind.Null)
                {
                    session.Documents.SetMissing(include.Name);
                }
                else
                {
                    session.Documents.Include(
                        include.Name, System.Text.Encoding.UTF8.GetBytes(include.Value.GetRawText()));
                }
            }
        }

        foreach (ReadOnlyMemory<byte> counters in _counters)
        {
            foreach (JsonProperty document in JsonFormats.Parse(counters).EnumerateObject())
            {
                session.Counters.Set(document.Name, ValuesOf(document.Value), isAll: false);
            }
        }

        foreach (ReadOnlyMemory<byte> series in _series)
        {
            session.Series.Add(series);
        }

        foreach (SubscriptionItem<T> item in _items)
        {
            if (item.Tracked is { } result)
            {
                DocumentHead head = DocumentHead.Of(item.Document.Span);
                session.TrackRead(result, in head, item.Document, isUntracked: false, isProjection: false);
            }
        }

        return session;
    }

    private static Dictionary<string, long?> ValuesOf(JsonElement counters)
    {
        Dictionary<string, long?> values = new(StringComparer.OrdinalIgnoreCase);
        foreach (JsonElement counter in counters.EnumerateArray())
        {
            if (counter.ValueKind == JsonValueKind.Object)
            {
                values[counter.GetProperty("CounterName").GetString()!] =
                    counter.GetProperty("TotalValue").GetInt64();
            }
        }

        return values;
    }
}
