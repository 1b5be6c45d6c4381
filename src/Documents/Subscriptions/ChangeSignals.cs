using System.Text;
using Raven.Documents.Changes;
using Raven.Documents.Ids;

namespace Raven.Documents.Subscriptions;

/// <summary>
/// Wakes those that wait for changes of collections. It listens to its database only while someone waits or works; a
/// change costs one look for its collection then. Any thread.
/// </summary>
internal sealed class ChangeSignals(Database database, TimeProvider clock) : IDocumentChangeListener
{
    private readonly Lock _gate = new();
    private Dictionary<byte[], ChangeSignal> _signals = new(FoldedNames.Comparer);
    private volatile ChangeSignal[] _all = [];

    /// <inheritdoc/>
    void IDocumentChangeListener.OnChange(in DocumentChange change)
    {
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        Dictionary<byte[], ChangeSignal> signals = Volatile.Read(ref _signals);
        if (signals.TryGetValue([], out ChangeSignal? ofAll))
        {
            ofAll.Set();
        }

        if (DocumentId.TryFold(change.Collection, key, out int length, out _)
            && signals.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(key[..length], out ChangeSignal? found))
        {
            found.Set();
        }
    }

    /// <inheritdoc/>
    void IDocumentChangeListener.OnCommitted(long lastEtag)
    {
    }

    /// <inheritdoc/>
    void IDocumentChangeListener.OnDeleted() => SetAll();

    /// <summary>Wakes the users of a signal after a time.</summary>
    internal void WakeIn(ChangeSignal signal, TimeSpan delay)
    {
        if (delay <= TimeSpan.Zero)
        {
            signal.Set();
            return;
        }

        long due = clock.GetUtcNow().UtcTicks + delay.Ticks;
        lock (_gate)
        {
            if (signal.DueTicks != 0 && signal.DueTicks <= due)
            {
                return;
            }

            signal.DueTicks = due;
        }

        _ = WakeAsync(signal, due, delay);
    }

    /// <summary>A worker has gone: others get what it had.</summary>
    internal void Left(ChangeSignal signal)
    {
        Unlisten(signal);
        signal.Set();
    }

    private async Task WakeAsync(ChangeSignal signal, long due, TimeSpan delay)
    {
        await Task.Delay(delay, clock).ConfigureAwait(false);
        lock (_gate)
        {
            signal.DueTicks = signal.DueTicks == due ? 0 : signal.DueTicks;
        }

        signal.Set();
    }

    /// <summary>Gives the signal of a collection, null for all, to one more user.</summary>
    internal ChangeSignal Listen(byte[]? collection)
    {
        byte[] key = collection is not null
            ? Encoding.UTF8.GetBytes(DocumentId.FoldedText(collection))
            : [];
        lock (_gate)
        {
            if (!_signals.TryGetValue(key, out ChangeSignal? signal))
            {
                signal = new ChangeSignal { Collection = key };
                Volatile.Write(ref _signals, new(_signals, FoldedNames.Comparer) { [key] = signal });
                _all = [.. _signals.Values];
                if (_all.Length == 1)
                {
                    database.Changes.Add(this);
                }
            }

            signal.UserCount++;
            return signal;
        }
    }

    /// <summary>A user of a signal is gone.</summary>
    internal void Unlisten(ChangeSignal signal)
    {
        lock (_gate)
        {
            if (--signal.UserCount > 0)
            {
                return;
            }

            Dictionary<byte[], ChangeSignal> signals = new(_signals, FoldedNames.Comparer);
            signals.Remove(signal.Collection);
            Volatile.Write(ref _signals, signals);
            _all = [.. signals.Values];
            if (_all.Length == 0)
            {
                database.Changes.Remove(this);
            }
        }
    }

    /// <summary>Wakes all.</summary>
    internal void SetAll()
    {
        foreach (ChangeSignal signal in _all)
        {
            signal.Set();
        }
    }
}
