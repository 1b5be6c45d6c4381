using Raven.Storage.Platform;

namespace Raven.Storage.Transactions;

// WAKE-1  Writers that block are woken by one call for their whole group, and not one by one: 64 of them were 86,000
//         writes a second with a call for each and are 97,000 with one (docs/performance.md).
// WAKE-2  A writer sleeps on the signal of the time at which it came; the next time begins when a leader has taken what
//         came. So those of one group have one signal or few, and those of the next another. Who came at the end of a
//         time and is in the next group is woken in vain, looks, and sleeps on.

/// <summary>What the writers of a merger sleep on that block their threads.</summary>
internal sealed class WriterSignals
{
    /// <summary>More times than there are groups on their way, so that few are woken in vain.</summary>
    private const int Length = 8;

    private readonly SharedSignal[] _signals = [.. Enumerable.Range(0, Length).Select(static _ => new SharedSignal())];
    private int _now;

    /// <summary>The place of the signal for a writer that comes now.</summary>
    internal int Now => Volatile.Read(ref _now);

    /// <summary>The signal at a place.</summary>
    internal SharedSignal this[int place] => _signals[place];

    /// <summary>Begins the next time. For the leader.</summary>
    internal void Advance() => Volatile.Write(ref _now, (_now + 1) % Length);

    /// <summary>Wakes the writers whose places are bits of this; they have their outcome.</summary>
    internal void Set(uint places)
    {
        for (int place = 0; places != 0; place++, places >>= 1)
        {
            if ((places & 1) != 0)
            {
                _signals[place].Set();
            }
        }
    }
}
