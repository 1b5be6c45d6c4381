using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Rows;

/// <summary>Writes the entry of the current opening into the <see cref="OpeningHistory"/>. Belongs to
/// the writer.</summary>
/// <param name="etag">The last etag when the database was opened.</param>
/// <param name="random">Gives the number of the opening.</param>
/// <param name="isKept">True if the entry is stored already.</param>
internal sealed class OpeningEntry(long etag, Random random, bool isKept = false)
{
    private long _number;
    private long _writtenIn;
    private bool _isKept = isKept;

    /// <summary>To be called at the end of each change that has given out etags (OPN-1).</summary>
    internal void Keep(WriteTransaction transaction)
    {
        if (!_isKept)
        {
            Write(transaction);
        }
    }

    /// <summary>Writes the entry now, in the transaction that opens an epoch of a group.</summary>
    internal void Write(WriteTransaction transaction)
    {
        while (_number == 0)
        {
            _number = random.NextInt64();
        }

        FixedTree openings = transaction.OpenOrCreateFixedTree(OpeningHistory.Name, sizeof(long));
        if (openings.TryGet(etag, out long there) && there == _number)
        {
            // An entry of this very transaction may be dropped with it; that of another one is committed.
            _isKept = transaction.Id != _writtenIn;
            return;
        }

        openings.Put(etag, _number);
        _writtenIn = transaction.Id;
        while (openings.Count > OpeningHistory.KeptMax && openings.TryGetFirst(out long oldest))
        {
            openings.Delete(oldest);
        }
    }
}
