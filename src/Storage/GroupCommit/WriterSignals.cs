using Raven.Storage.Platform;

namespace Raven.Storage.GroupCommit;

// WAKE-1  Writers that block are woken by one call for their whole group, not one by one: 64 of them did 86,000 writes
//         a second with a call for each and do 97,000 to 104,000 with one (docs/decisions/0016).
// WAKE-2  A writer sleeps on the signal that is current when it arrives. The leader makes the next signal current when
//         it takes writes that may be the last of its group: later writers are in the next group, and many arrive while
//         the commands of the last one are executed. So a group has one or two signals, seldom more, and later groups
//         have others. If two groups share one, for writers that wait for room, and if the commands of a group are run
//         one by one, some are woken in vain: they check, and sleep again.

/// <summary>The signals on which the blocking writers of a merger sleep.</summary>
internal sealed class WriterSignals
{
    /// <summary>
    /// At most three groups are under way (one being completed, one written, one built), and a leader that waits for
    /// more writes advances a few times for its own.
    /// </summary>
    private const int Length = 8;

    private readonly SharedSignal[] _signals = [.. Enumerable.Range(0, Length).Select(static _ => new SharedSignal())];
    private int _now;

    /// <summary>The place of the signal for a writer that arrives now.</summary>
    internal int Now => Volatile.Read(ref _now);

    /// <summary>The signal at a place.</summary>
    internal SharedSignal this[int place] => _signals[place];

    /// <summary>Makes the next signal current. For the leader.</summary>
    internal void Advance() => Volatile.Write(ref _now, (_now + 1) % Length);

    /// <summary>Wakes the writers whose places are bits of this; their outcome is set.</summary>
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
