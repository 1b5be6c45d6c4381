using System.Diagnostics.CodeAnalysis;
using System.Numerics;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// A bounded queue of many producers and one consumer in a ring of slots: a producer takes the next number, waits until
/// its slot was emptied a lap ago, and marks it as full. A candidate for the merger, measured beside the others.
/// </summary>
internal sealed class MessageRing<T>
    where T : class
{
    // Between the two ends lies more than a cache line, so that the consumer does not slow the producers.
    private const int NextToPut = 0;
    private const int NextToTake = 16;

    private readonly Slot[] _slots;
    private readonly long[] _numbers = new long[2 * NextToTake];
    private readonly int _mask;

    internal MessageRing(int capacity)
    {
        _slots = new Slot[BitOperations.RoundUpToPowerOf2((uint)capacity)];
        _mask = _slots.Length - 1;
        for (int i = 0; i < _slots.Length; i++)
        {
            _slots[i].Turn = i;
        }
    }

    /// <summary>Waits while the ring is full. Any thread.</summary>
    internal void Put(T item)
    {
        long number = Interlocked.Increment(ref _numbers[NextToPut]) - 1;
        ref Slot slot = ref _slots[number & _mask];
        var wait = new SpinWait();
        while (Volatile.Read(ref slot.Turn) != number)
        {
            wait.SpinOnce();
        }

        slot.Item = item;
        Volatile.Write(ref slot.Turn, number + 1);
    }

    /// <summary>The one consumer's.</summary>
    /// <returns>False if the next item is not there yet.</returns>
    internal bool TryTake([NotNullWhen(true)] out T? item)
    {
        long number = _numbers[NextToTake];
        ref Slot slot = ref _slots[number & _mask];
        if (Volatile.Read(ref slot.Turn) != number + 1)
        {
            item = null;
            return false;
        }

        item = slot.Item!;
        slot.Item = null;
        _numbers[NextToTake] = number + 1;
        Volatile.Write(ref slot.Turn, number + _slots.Length);
        return true;
    }

    private struct Slot
    {
        /// <summary>The number of the producer that may put into it; one more if it is full.</summary>
        internal long Turn;

        internal T? Item;
    }
}
