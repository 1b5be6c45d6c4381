using Raven.Storage.Options;

namespace Raven.Storage.Transactions;

/// <summary>Read transaction objects that wait for reuse; a thread finds its own first. Any thread.</summary>
internal sealed class ReaderPool(StorageEnvironment environment)
{
    private const int Capacity = 64;
    private const int Probes = 4;

    private static readonly TimeSpan EndWaitMax = TimeSpan.FromSeconds(5);

    private readonly ReadTransaction?[] _idle = new ReadTransaction?[Capacity];

    internal ReadTransaction Rent()
    {
        int start = Environment.CurrentManagedThreadId;
        for (int i = 0; i < Probes; i++)
        {
            ref ReadTransaction? place = ref _idle[(start + i) & (Capacity - 1)];
            if (Volatile.Read(ref place) is not null && Interlocked.Exchange(ref place, null) is { } transaction)
            {
                return transaction;
            }
        }

        return new ReadTransaction(environment, environment.Readers.AddSlot());
    }

    internal void Return(ReadTransaction transaction)
    {
        int start = Environment.CurrentManagedThreadId;
        for (int i = 0; i < Probes; i++)
        {
            ref ReadTransaction? place = ref _idle[(start + i) & (Capacity - 1)];
            if (Volatile.Read(ref place) is null && Interlocked.CompareExchange(ref place, transaction, null) is null)
            {
                return;
            }
        }

        environment.Readers.RemoveSlot(transaction.Slot);
    }

    /// <summary>Cancels every open reader and waits a little for it to end. False if one did not.</summary>
    internal bool EndAll(StorageOptions options)
    {
        long start = options.Clock.GetTimestamp();
        while (environment.Readers.Count() > 0)
        {
            environment.Readers.CancelAll();
            if (options.Clock.GetElapsedTime(start) > EndWaitMax)
            {
                return false;
            }

            Thread.Yield();
        }

        return true;
    }
}
