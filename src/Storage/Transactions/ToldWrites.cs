namespace Raven.Storage.Transactions;

/// <summary>
/// Those who are to be woken or resumed when the writes of a list have their outcomes: all of them first, then all of
/// those, so that the ones who sleep are woken by one call.
/// </summary>
internal struct ToldWrites
{
    /// <summary>The signals of those who sleep, for <see cref="WriterSignals.Set"/>.</summary>
    internal uint Asleep;

    /// <summary>Those who await, for <see cref="WriterResumption.Add"/>.</summary>
    internal WriteGroup Awaiting;

    /// <summary>Has the outcome of a write ready. Where its writer blocks it may be in use again.</summary>
    internal void Add(PendingWrite write, Exception? failure, bool isOwn)
    {
        Asleep |= isOwn ? 0 : write.SignalBit;
        if (!write.TryComplete(failure, isOwn))
        {
            Awaiting.Add(write);
        }
    }
}
