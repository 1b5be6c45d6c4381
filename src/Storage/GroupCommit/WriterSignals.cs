using Raven.Storage.Platform;

namespace Raven.Storage.GroupCommit;

// WAKE-1  Writers that block are woken by one call for their whole group, and not one by one: 64 of them were 86,000
//         writes a second with a call for each and are 97,000 to 104,000 with one (docs/decisions/0016).
// WAKE-2  A writer sleeps on the signal of the time at which it comes. A time ends when a leader takes what may be the
//         last of its group: who comes behind that is in the next group, and while the commands of the last are
//         executed many come. Those of a group have one or two signals so, seldom more, and those of the next others.
//         Where two groups share one, and for those who wait for room, and where the commands of a group are run one
//         by one, some are woken in vain: they look, and sleep on.

/// <summary>What the writers of a merger sleep on that block their threads.</summary>
internal sealed class WriterSignals
{
    /// <summary>
    /// Three groups are on their way at most, one told, one written, one made, and a leader that waits for more ends a
    /// few times for its own.
    /// </summary>
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
