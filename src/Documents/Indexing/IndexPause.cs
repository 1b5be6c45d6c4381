namespace Raven.Documents.Indexing;

/// <summary>Pauses the indexes of a database, one or all, and lets them go on. Any thread.</summary>
public sealed class IndexPause
{
    private readonly DatabaseIndexes _indexes;

    /// <summary>Held while all are paused, and while indexes come to the others: none is missed. No other lock is taken
    /// behind it but that of the queue.</summary>
    private readonly Lock _gate = new();

    private volatile bool _isOfAll;
    private int _changes;

    internal IndexPause(DatabaseIndexes indexes) => _indexes = indexes;

    /// <summary>Whether indexing as a whole is paused, including indexes that are made meanwhile.</summary>
    public bool IsOfAll
    {
        get => _isOfAll;
        internal set => _isOfAll = value;
    }

    /// <summary>How often all were paused, or let go on.</summary>
    internal int Changes => Volatile.Read(ref _changes);

    /// <summary>Pauses all indexes, and those that are made later, or lets them go on.</summary>
    public void SetAll(bool isPaused)
    {
        List<DatabaseIndex> changed;
        lock (_gate)
        {
            _isOfAll = isPaused;
            _changes++;
            changed = [.. _indexes.Known.Where(index => index.IsPaused != isPaused)];
            changed.ForEach(index => index.IsPaused = isPaused);
        }

        changed.ForEach(index => Notify(index, isPaused));
    }

    /// <summary>Pauses one index, or lets it go on.</summary>
    public void Set(DatabaseIndex index, bool isPaused)
    {
        ArgumentNullException.ThrowIfNull(index);
        bool isNew = index.IsPaused != isPaused;
        index.IsPaused = isPaused;
        if (isNew)
        {
            Notify(index, isPaused);
        }
    }

    /// <summary>Makes an index paused as it was before, or as all others are if that was said since.</summary>
    /// <param name="index">The index.</param>
    /// <param name="wasPaused">Whether it was paused.</param>
    /// <param name="changes"><see cref="Changes"/> at that time.</param>
    internal void Restore(DatabaseIndex index, bool wasPaused, int changes)
    {
        lock (_gate)
        {
            index.IsPaused = _changes == changes ? wasPaused : _isOfAll;
        }
    }

    /// <summary>Called with an index that is not among the others yet.</summary>
    internal void Begin(DatabaseIndex index)
    {
        if (_isOfAll)
        {
            index.IsPaused = true;
        }
    }

    /// <summary>Called when indexes come to the others: they are paused if all are by now.</summary>
    /// <param name="fresh">The indexes.</param>
    /// <param name="publish">Makes them some of <see cref="DatabaseIndexes.Known"/>.</param>
    internal void Take(IEnumerable<DatabaseIndex> fresh, Action publish)
    {
        lock (_gate)
        {
            foreach (DatabaseIndex index in fresh.Where(one => one.IsPaused != _isOfAll))
            {
                index.IsPaused = _isOfAll;
            }

            publish();
        }
    }

    private void Notify(DatabaseIndex index, bool isPaused)
    {
        if (isPaused)
        {
            _indexes.Notify("IndexPaused", index.Name);
        }
    }
}
