using System.Runtime.CompilerServices;
using Raven.Blittable.Format;

namespace Raven.Blittable.Contexts;

/// <summary>
/// Contexts for reuse, so that an operation starts with warm memory and warm name caches. Thread-safe. Each processor
/// has a slot, taken and filled by one atomic exchange; a shared stack with a lock holds the rest.
/// </summary>
public sealed class OperationContextPool : IDisposable
{
    // Slots are 16 references (two cache lines) apart, so that processors do not share a line.
    private const int SlotStride = 16;

    private readonly OperationContextPoolOptions _options;
    private readonly OperationContext?[] _slots;
    private readonly int _slotMask;
    private readonly Lock _lock = new();
    private readonly Stack<OperationContext> _idle = new();
    private readonly List<OperationContext> _all = [];
    private long _idleBytes;
    private bool _disposed;

    /// <summary>Makes a pool with the default options.</summary>
    public OperationContextPool()
        : this(new OperationContextPoolOptions())
    {
    }

    /// <summary>Makes an empty pool.</summary>
    public OperationContextPool(OperationContextPoolOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentOutOfRangeException.ThrowIfNegative(options.IdleContextsMax);
        ArgumentOutOfRangeException.ThrowIfNegative(options.TrimToBytes);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.RetainedBytesMax, options.TrimToBytes);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.LowUseReturnsBeforeTrim, 1);
        _options = options;
        _slotMask = options.Slots - 1;
        _slots = new OperationContext?[options.Slots * SlotStride];
    }

    /// <summary>Rents a context to one operation, which must <see cref="Return"/> it.</summary>
    /// <exception cref="ObjectDisposedException">The pool is closed.</exception>
    public OperationContext Rent()
    {
        ref OperationContext? slot = ref Slot();
        OperationContext? context = slot is null ? null : Interlocked.Exchange(ref slot, null);
        context ??= RentShared();
        context.IsRented = true;
        return context;
    }

    /// <summary>Takes a context back and resets it: all that it returned becomes invalid.</summary>
    /// <exception cref="InvalidOperationException">It was returned already.</exception>
    public void Return(OperationContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (!context.IsRented)
        {
            throw new InvalidOperationException("The context was returned before, or comes from elsewhere.");
        }

        context.IsRented = false;
        Slim(context);
        context.Reset();
        ref OperationContext? slot = ref Slot();
        if (slot is not null || _disposed || Interlocked.CompareExchange(ref slot, context, null) is not null)
        {
            ReturnShared(context);
        }
        else if (_disposed)
        {
            DisposeIdle();
        }
    }

    /// <summary>Frees memory of idle contexts, for a process that is short of it.</summary>
    public void Trim()
    {
        for (int i = 0; i < _slots.Length; i += SlotStride)
        {
            OperationContext? context = Interlocked.Exchange(ref _slots[i], null);
            if (context is not null)
            {
                ReturnShared(context);
            }
        }

        lock (_lock)
        {
            _idleBytes = 0;
            foreach (OperationContext context in _idle)
            {
                context.Arena.Trim(0);
                _idleBytes += context.Arena.CommittedBytes;
            }
        }
    }

    /// <summary>Counts what the contexts hold.</summary>
    public OperationContextStatistics GetStatistics()
    {
        int rented = 0;
        long used = 0, committed = 0, highWater = 0;
        lock (_lock)
        {
            foreach (OperationContext context in _all)
            {
                rented += context.IsRented ? 1 : 0;
                used += context.Arena.UsedBytes;
                committed += context.Arena.CommittedBytes;
                highWater = Math.Max(highWater, context.Arena.HighWaterBytes);
            }

            return new OperationContextStatistics(_all.Count, rented, used, committed, highWater);
        }
    }

    /// <summary>
    /// How many values the parsers of all contexts began in a mode; only valid while none of them works.
    /// </summary>
    internal int CountParsed(BlittableMode mode)
    {
        lock (_lock)
        {
            return _all.Sum(context => context.Parser.BegunIn(mode));
        }
    }

    /// <summary>Disposes the idle contexts now and each rented one when it returns.</summary>
    public void Dispose()
    {
        _disposed = true;
        DisposeIdle();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref OperationContext? Slot() =>
        ref _slots[(Thread.GetCurrentProcessorId() & _slotMask) * SlotStride];

    private OperationContext RentShared()
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        lock (_lock)
        {
            if (_idle.TryPop(out OperationContext? context))
            {
                _idleBytes -= context.Arena.CommittedBytes;
                return context;
            }

            context = new OperationContext();
            _all.Add(context);
            return context;
        }
    }

    private void ReturnShared(OperationContext context)
    {
        if (Volatile.Read(ref _idleBytes) + context.Arena.CommittedBytes > _options.IdleBytesMax)
        {
            context.Arena.Trim(_options.CrowdedBytes);
        }

        lock (_lock)
        {
            if (!_disposed && _idle.Count < _options.IdleContextsMax)
            {
                _idleBytes += context.Arena.CommittedBytes;
                _idle.Push(context);
                return;
            }

            _all.Remove(context);
        }

        context.Dispose();
    }

    private void Slim(OperationContext context)
    {
        long committed = context.Arena.CommittedBytes;
        if (committed <= _options.TrimToBytes)
        {
            return;
        }

        context.LowUseReturns = context.Arena.UsedBytes < committed / 4 ? context.LowUseReturns + 1 : 0;
        if (committed > _options.RetainedBytesMax || context.LowUseReturns >= _options.LowUseReturnsBeforeTrim)
        {
            context.LowUseReturns = 0;
            context.Reset();
            context.Arena.Trim(_options.TrimToBytes);
        }
    }

    private void DisposeIdle()
    {
        for (int i = 0; i < _slots.Length; i += SlotStride)
        {
            OperationContext? context = Interlocked.Exchange(ref _slots[i], null);
            if (context is not null)
            {
                ReturnShared(context);
            }
        }

        lock (_lock)
        {
            while (_idle.TryPop(out OperationContext? context))
            {
                _all.Remove(context);
                context.Dispose();
            }
        }
    }
}
