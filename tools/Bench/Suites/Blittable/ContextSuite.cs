using System.Buffers;
using System.Collections.Concurrent;
using System.Runtime.InteropServices;
using Raven.Blittable.Contexts;

namespace Raven.Tools.Bench.Suites.Blittable;

/// <summary>
/// What an operation pays for its memory: take a context, allocate 100 blocks, give it back; beside pools of blocks
/// by size. CPU time of all threads, so that waiting for a lock costs nothing and spinning does.
/// </summary>
internal sealed class ContextSuite : IBenchSuite
{
    private const int Blocks = 100;
    private const int Operations = 20_000;

    private static readonly int[] _sizes = MakeSizes();

    public string Name => "blittable";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        using OperationContextPool pool = new();
        using StackPool stacks = new();
        Action useContext = () => UseContext(pool);
        Action useStacks = () => UseStacks(stacks);
        void ours() => Repeat(useContext);
        void bySize() => Repeat(useStacks);
        void arrays() => Repeat(UseArrays);
        foreach (int threads in (int[])[1, 8])
        {
            string name = $"context, {Blocks} blocks and back, {Threads(threads)}";
            yield return Row(name, "pool by size", 2, threads, ours, bySize);
            yield return Row(name, "ArrayPool", 2, threads, ours, arrays);
        }

        yield return new BenchRow
        {
            Name = $"context, {Blocks} blocks and back, allocation",
            Unit = "B/operation",
            Target = BenchTarget.AtMost(0),
            Ours = () => Measure.AllocatedBytesPerOperation(Operations, ours),
        };
    }

    private static string Threads(int count) => count == 1 ? "1 thread" : $"{count} threads";

    private static BenchRow Row(
        string name, string peer, double ratio, int threads, Action ours, Action theirs) => new()
        {
            Name = name,
            Unit = "operations/s",
            PeerName = peer,
            Target = BenchTarget.RatioAtLeast(ratio),
            WarmUpRuns = 4,
            Ours = () => Rate(threads, ours),
            Peer = () => Rate(threads, theirs),
        };

    private static double Rate(int threads, Action work)
    {
        if (threads == 1)
        {
            return Measure.OperationsPerCpuSecond(Operations, work);
        }

        double seconds = 0;
        Lock sumLock = new();
        Thread[] all = [.. Enumerable.Range(0, threads).Select(_ => new Thread(() =>
        {
            double own = Measure.CpuSeconds(work);
            lock (sumLock)
            {
                seconds += own;
            }
        }))];
        Array.ForEach(all, thread => thread.Start());
        Array.ForEach(all, thread => thread.Join());
        return threads * Operations / seconds;
    }

    private static void Repeat(Action operation)
    {
        for (int i = 0; i < Operations; i++)
        {
            operation();
        }
    }

    private static void UseContext(OperationContextPool pool)
    {
        OperationContext context = pool.Rent();
        foreach (int size in _sizes)
        {
            context.Arena.Allocate(size).WritableSpan[0] = 1;
        }

        pool.Return(context);
    }

    private static void UseStacks(StackPool pool)
    {
        Span<nint> blocks = stackalloc nint[Blocks];
        for (int i = 0; i < Blocks; i++)
        {
            blocks[i] = pool.Rent(_sizes[i]);
            Marshal.WriteByte(blocks[i], 1);
        }

        for (int i = 0; i < Blocks; i++)
        {
            pool.Return(_sizes[i], blocks[i]);
        }
    }

    private static void UseArrays()
    {
        byte[][] blocks = ArrayPool<byte[]>.Shared.Rent(Blocks);
        for (int i = 0; i < Blocks; i++)
        {
            blocks[i] = ArrayPool<byte>.Shared.Rent(_sizes[i]);
            blocks[i][0] = 1;
        }

        for (int i = 0; i < Blocks; i++)
        {
            ArrayPool<byte>.Shared.Return(blocks[i]);
        }

        ArrayPool<byte[]>.Shared.Return(blocks);
    }

    private static int[] MakeSizes()
    {
        Random random = new(1);
        return [.. Enumerable.Range(0, Blocks).Select(_ => random.Next(16, 1 << random.Next(5, 12)))];
    }

    /// <summary>The pool that this design began with: for each power of two a stack of free blocks.</summary>
    private sealed class StackPool : IDisposable
    {
        private readonly ConcurrentDictionary<int, ConcurrentStack<nint>> _free = new();
        private readonly ConcurrentBag<nint> _all = [];

        public void Dispose()
        {
            foreach (nint block in _all)
            {
                Marshal.FreeHGlobal(block);
            }
        }

        internal nint Rent(int size)
        {
            int rounded = (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)size);
            if (_free.TryGetValue(rounded, out ConcurrentStack<nint>? blocks) && blocks.TryPop(out nint block))
            {
                return block;
            }

            nint made = Marshal.AllocHGlobal(rounded);
            _all.Add(made);
            return made;
        }

        internal void Return(int size, nint block)
        {
            int rounded = (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)size);
            _free.GetOrAdd(rounded, static _ => new ConcurrentStack<nint>()).Push(block);
        }
    }
}
