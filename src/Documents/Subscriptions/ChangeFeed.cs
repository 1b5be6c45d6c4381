using System.Text;
using Raven.Documents.Rows;

namespace Raven.Documents.Subscriptions;

/// <summary>
/// The changes of a database from a token on, page by page, without anything that the server keeps of the reader: the
/// last version of each document, and deletions. One caller at a time.
/// </summary>
public sealed class ChangeFeed : IDisposable
{
    private readonly DatabaseSubscriptions _owner;
    private readonly SubscriptionQuery _query;
    private readonly SubscriptionFiller _filler;
    private readonly ChangeSignal _signal;
    private readonly bool _hasDeletions;
    private long _seen;
    private bool _isDisposed;

    internal ChangeFeed(
        DatabaseSubscriptions owner, SubscriptionQuery query, SubscriptionFiller filler, ChangeSignal signal,
        FeedToken from, bool hasDeletions)
    {
        _owner = owner;
        _query = query;
        _filler = filler;
        _signal = signal;
        _hasDeletions = hasDeletions;
        Token = from;
    }

    /// <summary>The token of the last change that was read; the next read begins behind it.</summary>
    public FeedToken Token { get; private set; }

    /// <summary>The documents of the page.</summary>
    public SubscriptionBatch Batch { get; } = new();

    /// <summary>The changes of the page, in their order.</summary>
    public List<FeedItem> Items { get; } = [];

    /// <summary>Reads the next page.</summary>
    /// <param name="countMax">The most documents in it.</param>
    /// <returns>Whether there may be more at once; false if what is there was read.</returns>
    /// <exception cref="FeedLostException">Changes that the reader has are lost.</exception>
    /// <exception cref="DatabaseDeletedException">The database was deleted.</exception>
    public bool Read(int countMax)
    {
        _seen = _signal.Version;
        Items.Clear();
        Batch.Clear();
        Batch.HasOwed = true;
        using DocumentSnapshot snapshot = _owner.Database.BeginRead("feed");
        string? loss = Token.FindLoss(snapshot.Transaction)
            ?? (_hasDeletions ? FindForgotten(snapshot) : null);
        if (loss is not null)
        {
            throw new FeedLostException(
                $"The token cannot be gone on from: {loss}. Read all again.",
                default(FeedToken).ToText(_owner.Database.Id));
        }

        long cursor = Token.Etag;
        FillStatus status = _filler.Fill(snapshot, Batch, ref cursor, countMax, live: null);
        for (int i = 0; i < Batch.Count; i++)
        {
            ChangeVector.TryReadLocalEtag(Batch.VersionOf(i), out long etag);
            Items.Add(new FeedItem(etag, Batch.IdOf(i), Batch.ChangeVectorOf(i), i));
        }

        if (_hasDeletions)
        {
            AddDeletions(snapshot, Token.Etag + 1, cursor);
        }

        Token = new FeedToken(OpeningHistory.Last(snapshot.Transaction), cursor);
        return status != FillStatus.AtEnd;
    }

    /// <summary>The token of a change of the page.</summary>
    public string TokenOf(in FeedItem item) => (Token with { Etag = item.Etag }).ToText(_owner.Database.Id);

    /// <summary>The token behind the page.</summary>
    public string TokenText => Token.ToText(_owner.Database.Id);

    /// <summary>Lets the page go, and waits for changes behind it.</summary>
    public Task WaitAsync(CancellationToken cancellation)
    {
        if (_owner.Database.IsDeleted)
        {
            throw new DatabaseDeletedException(_owner.Database.Name);
        }

        Items.Clear();
        Batch.ClearForLong();
        return _signal.WaitAsync(_seen).WaitAsync(cancellation);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            _owner.Signals.Unlisten(_signal);
        }
    }

    /// <summary>Says which deletions the reader has missed; null if none.</summary>
    private string? FindForgotten(DocumentSnapshot snapshot) => TombstoneFloor.FindLoss(
        snapshot.Transaction, _query.Collection is { } name ? [Encoding.UTF8.GetString(name)] : [], Token.Etag);

    private void AddDeletions(DocumentSnapshot snapshot, long from, long to)
    {
        int before = Items.Count;
        TombstoneCursor tombstones = _query.Collection is null
            ? snapshot.TombstonesByEtag(from)
            : snapshot.TombstonesOfCollection(_query.Collection, from);
        while (tombstones.MoveNext(out StoredTombstone tombstone) && tombstone.Etag <= to)
        {
            // A document that has gone to another collection is gone for the reader of this one.
            if (tombstone.Kind == RowKind.Document
                || (tombstone.Kind == RowKind.LeftCollection && _query.Collection is not null))
            {
                Items.Add(new FeedItem(
                    tombstone.Etag, Encoding.UTF8.GetString(tombstone.Id.Span),
                    Encoding.UTF8.GetString(tombstone.ChangeVector.Span), -1));
            }
        }

        if (Items.Count > before)
        {
            Items.Sort(static (left, right) => left.Etag.CompareTo(right.Etag));
        }
    }
}
