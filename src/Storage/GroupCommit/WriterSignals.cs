using Raven.Storage.Platform;

namespace Raven.Storage.GroupCommit;

// WAKE-1  Writers that block are woken by one call for their whole group, not one by one: 64 of them did 86,000 writes
//         a second with a call for each and do 97,000 to 104,000 with one (docs/decisions/0016).
// WAKE-2  A writer sleeps on the signal that is current when it arrives. The leader makes the next signal current each
//         time it takes writes while the journal is free, since those may be the last of its group; writers that arrive
//         after that belong to the next group. So a group has one or two signals, seldom more. Two groups may share a
//         signal (writers that waited for room in the queue, or commands that are executed one by one): then some
//         writers are woken although their write is not complete; they check, and sleep again.

/// <summary>The signals on which the blocking writers of a merger sleep.</summary>
internal sealed class WriterSignals
{
    /// <summary>
    /// The number of signals. At most three groups are under way (one being completed, one written, one built), and a
    /// leader that waits for more writes makes a few signals current for its own group.
    /// </summary>
    private const int Length = 8;

    private readonly SharedSignal[] _signals = [.. Enumerable.Range(0, Length).Select(static _ => new SharedSignal())];
    private int _now;

    /// <summary>The number of the current signal, for a writer that arrives now.</summary>
    internal int Now => Volatile.Read(ref _now);

    /// <summary>The signal with a number.</summary>
    internal SharedSignal this[int place] => _signals[place];

    /// <summary>Makes the next signal current. For the leader.</summary>
    internal void Advance() => Volatile.Write(ref _now, (_now + 1) % Length);

    /// <summary>Wakes the writers that sleep on the signals of these bits; their outcomes are stored before.</summary>
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
